"""The suite as files: every task made, compared with the manifest, and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from slad.core.files import written_aside
from slad_paper.datasets.suite.archives import archives
from slad_paper.datasets.suite.built_tables import ABOUT
from slad_paper.datasets.suite.making import Made, make, read_table
from slad_paper.datasets.suite.manifest import Task, tasks
from slad_paper.datasets.suite.recipes import TableRecipe, TaskRecipe, recipes

SMALL_TYPES = (np.uint8, np.int16)


@dataclass(frozen=True)
class Built:
    """A task that was made."""

    task: Task
    expected: Task | None
    """What the manifest says of it; None where it has no such task."""

    @property
    def right(self) -> bool:
        return self.expected == self.task


def build(folder: Path, sources: Path, *, check: bool = True) -> Iterator[Built]:
    """Make every task of the recipes and write it to the folder.

    With `check` a task that is not the manifest's is not written. That happens with another
    version of numpy or scikit-learn than the manifest was made with.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known = {each.name: each for each in tasks()} if check else {}
    for recipe in recipes():
        table = read_table(recipe, sources)
        for each in recipe.tasks:
            name = recipe.task_name(each)
            made = make(name, table, each, recipe.rows)
            built = Built(_described(name, recipe, each, made), known.get(name))
            if built.right or not check:
                _write(folder / f"{name}.npz", made)
            yield built


def _described(name: str, recipe: TableRecipe, task: TaskRecipe, made: Made) -> Task:
    if recipe.archive in ABOUT:
        licence, source = ABOUT[recipe.archive]
    else:
        licence, source = archives()[recipe.archive].licence, archives()[recipe.archive].source
    return Task(
        name=name,
        source=recipe.source,
        kind=task.plant or "class",
        origin=f"{source}: {recipe.member}",
        rows=len(made.y),
        features=made.X.shape[1],
        anomalies=int(made.y.sum()),
        categories=made.categories,
        gaps=int(np.isnan(made.X).sum()),
        licence=licence,
        sha256=made.sha256,
    )


def _write(path: Path, made: Made) -> None:
    with written_aside(path) as aside, aside.open("wb") as file:
        np.savez_compressed(file, X=_packed(made.X), y=made.y)


def _packed(X: np.ndarray) -> np.ndarray:
    """The rows in the smallest type that holds them: pixels are bytes."""
    if np.isnan(X).any():
        return X
    for kind in SMALL_TYPES:
        limits = np.iinfo(kind)
        if limits.min <= X.min() and X.max() <= limits.max and (X.astype(kind) == X).all():
            return X.astype(kind)
    return X
