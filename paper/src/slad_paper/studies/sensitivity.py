"""The paper's figure of parameter sensitivity: c, r, h and gamma, one varied at a time.

The released recipe on the datasets of the main table, under its protocol; all other parameters,
and the documented exceptions by dataset, stay as they are there.
"""

from __future__ import annotations

from slad_paper.runner.comparison import Comparison, Quick
from slad_paper.runner.hyper_parameters import contenders
from slad_paper.studies import effectiveness

STUDY = Comparison(
    name="sensitivity",
    datasets=effectiveness.STUDY.datasets,
    seeds=effectiveness.STUDY.seeds,
    split_seed=effectiveness.STUDY.split_seed,
    detectors=contenders(),
    quick=Quick(max_rows=300, datasets=("thyroid", "waveform")),
    of_dataset=effectiveness.STUDY.of_dataset,
)
