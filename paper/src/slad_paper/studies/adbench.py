"""The paper's ADBench table: every detector on the classical sets of ADBench.

At most 10,000 rows a set, drawn without labels; five seeds, each with a split of its own.
"""

from __future__ import annotations

from slad_paper.datasets import names
from slad_paper.runner.comparison import Comparison, Quick
from slad_paper.studies.effectiveness import CONTENDERS

STUDY = Comparison(
    name="adbench",
    detectors=CONTENDERS,
    datasets=tuple(names("adbench")),
    seeds=(0, 1, 2, 3, 4),
    max_rows=10_000,
    quick=Quick(max_rows=200, datasets=("4_breastw", "14_glass", "29_Pima", "45_wine")),
)
