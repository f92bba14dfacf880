"""The tuning suite: detectors on tasks that share no source with ADBench.

No item of the paper: what the paper leaves open is chosen here, by repeated halvings of the suite
(slad_paper.runner.halving), so that ADBench is looked at once, at the end. Three seeds, each with a
split of its own. Named without --detectors are the cheap ones, the yardstick for all others.
"""

from __future__ import annotations

from slad_paper.datasets.suite import tasks
from slad_paper.runner.comparison import Comparison, Quick

STUDY = Comparison(
    name="tuning",
    datasets=tuple(task.name for task in tasks()),
    seeds=(0, 1, 2),
    detectors=(
        "knn-1",
        "knn-1[scaling=minmax]",
        "knn-1[scaling=signed_log]",
        "knn-1[scaling=robust]",
        "knn-5",
        "lof",
        "iforest",
        "ecod",
        "pca",
    ),
    quick=Quick(
        max_rows=400, datasets=("suite-iris-odd-iris-setosa", "suite-cleveland-odd-positive")
    ),
)
