"""What the suite holds: one line a task, with the checksum of its rows (manifest.csv)."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from slad.core.files import written_aside
from slad.core.folders import cache_folder
from slad.core.names import unknown
from slad_paper.datasets.catalog import Entry, File
from slad_paper.datasets.store import data_root

PREFIX = "suite-"
VARIABLE = "SLAD_SUITE"
GROUP = "suite"
READER = "task"


@dataclass(frozen=True)
class Task:
    """One task of the suite, as the manifest has it."""

    name: str
    source: str
    """The parent of its rows: tasks of one source never lie in both halves of the suite."""
    kind: str
    """class, local, cluster, dependency or marginal: where its anomalies come from."""
    origin: str
    """Archive and table."""
    rows: int
    features: int
    anomalies: int
    categories: tuple[int, ...]
    """Columns whose numbers are codes."""
    gaps: int
    """Cells without a value."""
    licence: str
    sha256: str
    """Of the rows and labels, however the file is packed."""

    @property
    def mixed(self) -> bool:
        """Whether the rows have to be encoded before a detector can take them."""
        return bool(self.categories or self.gaps)


def suite_folder() -> Path:
    """The folder that SLAD_SUITE names, else `suite` under the data root, else in the cache.

    The cache is for a data root that cannot be written to.
    """
    if told := os.environ.get(VARIABLE):
        return Path(told).expanduser().absolute()
    under = data_root() / GROUP
    return (under if under.is_dir() else cache_folder() / "slad" / GROUP).absolute()


def task(name: str) -> Task:
    """The task of that name."""
    try:
        return _by_name()[name]
    except KeyError:
        raise unknown("task of the suite", name, _by_name()) from None


def tasks() -> list[Task]:
    """Every task, in the order of the recipes."""
    return list(_by_name().values())


def entry_of(name: str) -> Entry | None:
    """What the catalog says of a task; None for a name that is none of the suite's."""
    if not name.startswith(PREFIX):
        return None
    known = task(name)
    return Entry(
        name=name,
        title=name.removeprefix(PREFIX),
        group=GROUP,
        rows=known.rows,
        features=known.features,
        anomalies=known.anomalies,
        licence=known.licence,
        source=known.origin,
        citation="docs/suite.md",
        reader=READER,
        note="A task of the tuning suite, which `slad data suite` builds.",
        # An absolute path wins over the data root, under which the suite need not lie.
        files=(File(str(suite_folder() / f"{name}.npz")),),
        options=MappingProxyType(
            {
                "content": known.sha256,
                "source": known.source,
                "kind": known.kind,
                "categories": known.categories,
                "gaps": known.gaps,
            }
        ),
    )


@cache
def _by_name() -> dict[str, Task]:
    text = files("slad_paper.datasets.suite").joinpath("manifest.csv").read_text(encoding="utf-8")
    return {each.name: each for each in parse(text)}


def parse(text: str) -> Iterable[Task]:
    """The tasks of a manifest's text."""
    for line in csv.DictReader(text.splitlines()):
        said: dict[str, Any] = dict(line)
        said |= {key: int(line[key]) for key in ("rows", "features", "anomalies", "gaps")}
        yield Task(**said | {"categories": tuple(map(int, line["categories"].split()))})


def write(tasks: Iterable[Task], path: Path) -> None:
    """A manifest of these tasks."""
    with written_aside(path) as aside, aside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [each.name for each in fields(Task)], lineterminator="\n")
        writer.writeheader()
        for each in tasks:
            writer.writerow(asdict(each) | {"categories": " ".join(map(str, each.categories))})
