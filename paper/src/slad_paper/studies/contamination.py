"""The paper's figure of contaminated training data: 2 % to 10 % anomalies among the training rows.

The datasets of the main table and its split, of large ones 10,000 rows. Half of the anomalies
tests, the other half are candidates for training; where these are too few, more are made of two of
them (`slad_paper.datasets.protocol.contaminated_split`). The test rows are the same at every rate,
and 0 % is measured on them, too.
"""

from __future__ import annotations

from slad_paper.runner.comparison import Comparison, Quick
from slad_paper.runner.printed import group
from slad_paper.studies import effectiveness

RATES = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1)
CONTENDERS = (*(group("paper") or ()), "slad-paper", "slad-subspaces", "neighbor-scale", "knn-1")

STUDY = Comparison(
    name="contamination",
    datasets=effectiveness.STUDY.datasets,
    seeds=effectiveness.STUDY.seeds[:3],
    split_seed=effectiveness.STUDY.split_seed,
    max_rows=10_000,
    contaminations=RATES,
    detectors=CONTENDERS,
    quick=Quick(max_rows=200, datasets=("pageblocks",)),
    of_dataset=effectiveness.STUDY.of_dataset,
)
