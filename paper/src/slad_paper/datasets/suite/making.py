"""From a table and a recipe to the rows and labels of a task."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import PCG64, Generator

from slad.core.errors import DataError
from slad_paper.datasets.readers.task import content_sum
from slad_paper.datasets.suite.archives import archive, read_member
from slad_paper.datasets.suite.built_tables import BUILT
from slad_paper.datasets.suite.planting import plant
from slad_paper.datasets.suite.raw_table import RawTable, parse_table
from slad_paper.datasets.suite.recipes import TableRecipe, TaskRecipe

LARGEST_SHARE = 0.3
"""Of anomalies among the test rows, which are half of the normal ones and all anomalies."""
PLANTED = 0.05
"""Planted anomalies for each normal row: 9 % of the test rows."""
FEWEST_NORMAL, FEWEST_ODD = 50, 10


@dataclass(frozen=True, eq=False)
class Made:
    """A task's rows, in random order, and labels: 1 for an anomaly."""

    X: np.ndarray
    y: np.ndarray
    categories: tuple[int, ...] = ()

    @property
    def sha256(self) -> str:
        """Of shape, rows and labels, whatever they are packed in."""
        return content_sum(self.X, self.y)


def read_table(recipe: TableRecipe, folder: Path) -> RawTable:
    """The table of a recipe, from the archives in the folder."""
    if recipe.archive in BUILT:
        return BUILT[recipe.archive](recipe.member, folder)
    packed = archive(recipe.archive)
    return parse_table(
        read_member(packed, recipe.member, folder),
        header=packed.header,
        label=recipe.label,
        drop=recipe.drop,
        categories=recipe.categories,
    )


def make(name: str, table: RawTable, task: TaskRecipe, most: int) -> Made:
    """The task of that name, with `most` rows at most; its random numbers come from its name."""
    rng = Generator(PCG64(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")))
    normal, odd = _planted(table, task, most, rng) if task.plant else _of_classes(table, task, rng)
    if not task.plant:
        normal, odd = _cut(normal, odd, most)
    if len(normal) < FEWEST_NORMAL or len(odd) < FEWEST_ODD:
        raise DataError(
            f"{name} has {len(normal)} normal rows and {len(odd)} anomalies: at least "
            f"{FEWEST_NORMAL} and {FEWEST_ODD} are needed"
        )
    order = rng.permutation(len(normal) + len(odd))
    X = np.concatenate([normal, odd])[order].astype(np.float32)
    X[X == 0] = 0  # one zero, for the checksum: a drawn value may round to the negative one
    return Made(X, (order >= len(normal)).astype(np.uint8), table.categories)


def _planted(
    table: RawTable, task: TaskRecipe, most: int, rng: Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the table, at most so many, and anomalies planted for them."""
    assert task.plant is not None
    rows = table.values[_mask(table, task.normal)] if task.normal else table.values
    rows = rows[rng.permutation(len(rows))[: int(most / (1 + PLANTED))]]
    if table.categories and task.plant != "dependency":
        raise DataError(f"{task.plant} anomalies cannot be planted among categories")
    return rows, plant(task.plant, rows, max(FEWEST_ODD, round(PLANTED * len(rows))), rng)


def _of_classes(table: RawTable, task: TaskRecipe, rng: Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the normal classes and of the others, each in random order; no class: left out."""
    assert table.classes is not None
    known = table.classes != ""
    odd = _mask(table, task.odd) if task.odd else known & ~_mask(table, task.normal)
    normal = _mask(table, task.normal) if task.normal else known & ~odd
    return (
        table.values[rng.permutation(np.flatnonzero(normal))],
        table.values[rng.permutation(np.flatnonzero(odd))],
    )


def _mask(table: RawTable, classes: Sequence[str]) -> np.ndarray:
    assert table.classes is not None
    for each in classes:
        if each not in table.classes:
            found = ", ".join(sorted(set(table.classes.tolist()))[:10])
            raise DataError(f"no row is of class {each!r}: there are {found}")
    return np.isin(table.classes, classes)


def _cut(normal: np.ndarray, odd: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """No more anomalies than LARGEST_SHARE of the test rows, and no more rows than `most`."""
    ratio = LARGEST_SHARE / (1 - LARGEST_SHARE) / 2
    normal = normal[: max(most - len(odd), int(most / (1 + ratio)))]
    return normal, odd[: int(ratio * len(normal))]
