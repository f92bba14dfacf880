"""The paper's figure of complicated normal data: more and more classes among the normal rows.

Fashion-MNIST, every pixel a feature. One class is strange, one to nine others are normal; nine
combinations of each number and five seeds are 405 tables. A combination of k + 1 classes holds
that of k, so that a decline is one of the same table. Tables have 2,000 normal rows whatever their
number of classes (the paper does not say its own): half of them train.
"""

from __future__ import annotations

import numpy as np

from slad_paper.datasets.classes import task
from slad_paper.runner.comparison import Comparison, Quick
from slad_paper.runner.printed import group

MOST = 9
COMBINATIONS = 9
ORDER_SEED = 2023

CONTENDERS = (
    *(group("paper") or ()),
    "slad-paper",
    "slad-subspaces",
    "neighbor-scale",
    "ae",
    "knn-1",
)


def orders() -> list[tuple[int, str]]:
    """Of every combination: the strange class, and in which order the others become normal."""
    draw = np.random.default_rng(ORDER_SEED)
    return [
        (odd, "".join(map(str, draw.permutation([each for each in range(10) if each != odd]))))
        for odd in range(COMBINATIONS)
    ]


def tables(most: int = MOST) -> tuple[str, ...]:
    """All tables, those of one normal class first."""
    return tuple(task(order[:k], odd) for k in range(1, most + 1) for odd, order in orders())


STUDY = Comparison(
    name="variety",
    datasets=tables(),
    seeds=(0, 1, 2, 3, 4),
    detectors=CONTENDERS,
    quick=Quick(max_rows=200, datasets=tables()[:: 8 * COMBINATIONS]),
)
