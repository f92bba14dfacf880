"""How the tasks are made: which table, which classes are normal, what is planted (recipes.toml)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from slad.core.errors import ConfigError
from slad_paper.datasets.suite.manifest import PREFIX

ROWS = 5000
"""Rows of a task, at most, where its recipe does not say more."""


@dataclass(frozen=True)
class TaskRecipe:
    """One task of a table: anomalies are some of its classes, or planted."""

    odd: tuple[str, ...] = ()
    normal: tuple[str, ...] = ()
    plant: str | None = None

    def __post_init__(self) -> None:
        if bool(self.plant) == bool(self.odd or self.normal) or (self.plant and self.odd):
            raise ConfigError(f"{self}: give classes (odd, normal), or a kind to plant")

    @property
    def ending(self) -> str:
        """The end of the task's name."""
        if self.plant:
            return self.plant
        if self.odd and self.normal:
            return f"{'-'.join(map(_slug, self.normal))}-vs-{'-'.join(map(_slug, self.odd))}"
        if self.odd:
            return f"odd-{'-'.join(map(_slug, self.odd))}"
        return f"only-{'-'.join(map(_slug, self.normal))}"


@dataclass(frozen=True)
class TableRecipe:
    """A table, and the tasks that are made of it."""

    name: str
    archive: str
    member: str
    source: str
    tasks: tuple[TaskRecipe, ...]
    label: str | None = None
    drop: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    rows: int = ROWS

    def task_name(self, task: TaskRecipe) -> str:
        return f"{PREFIX}{self.name}-{task.ending}"


def recipes() -> list[TableRecipe]:
    """All tables, in order."""
    text = files("slad_paper.datasets.suite").joinpath("recipes.toml").read_text(encoding="utf-8")
    return list(parse(text))


def parse(text: str) -> Iterator[TableRecipe]:
    """The recipes of a text, each with what it does not say filled in."""
    for name, said in tomllib.loads(text).items():
        own: dict[str, Any] = {"source": name} | said
        own |= {key: tuple(own[key]) for key in ("drop", "categories") if key in own}
        own["tasks"] = tuple(_task(each) for each in own["tasks"])
        yield TableRecipe(name=name, **own)


def _task(said: dict[str, Any]) -> TaskRecipe:
    classes = {key: tuple(said[key]) for key in ("odd", "normal") if key in said}
    return TaskRecipe(plant=said.get("plant"), **classes)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
