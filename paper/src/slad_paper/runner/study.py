"""What every study has: a name, a folder of records, and cases or runs to do."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypedDict, TypeVar, Unpack

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError, DataError
from slad_paper.datasets import data_root, find
from slad_paper.datasets.store import is_here, verify
from slad_paper.runner.packing import recorded_paths


class Choice(TypedDict, total=False):
    """What is to be done of a study; all of it unless told."""

    quick: bool
    folder: Path | None
    """Where the records are, for studies that follow from other records."""
    detectors: Iterable[str] | None
    datasets: Iterable[str] | None
    seeds: Sequence[int] | None
    cases: Sequence[str] | None
    device: str
    workers: int | None
    """Processes at once; None: one for every core."""


class Work(Protocol):
    """One unit of work of a study, which leaves one record: a case or a run."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """The datasets that it needs."""

    @property
    def packages(self) -> tuple[str, ...]:
        """Packages that it needs and that do not come with slad."""

    def path(self, folder: Path) -> Path:
        """Where its record lies under the folder of the study."""

    def identity(self) -> dict[str, Any]:
        """What its record begins with, and must agree with."""


@dataclass(frozen=True)
class Study(ABC):
    """A table or figure of the laboratory."""

    name: str

    def folder(self, quick: bool) -> Path:
        """Where records go unless told."""
        return Path("results") / (f"{self.name}-quick" if quick else self.name)

    @abstractmethod
    def plan(self, **choice: Unpack[Choice]) -> tuple[Sequence[Work], list[str]]:
        """What is to be done, and the names of what is missing for more."""


@dataclass(frozen=True)
class Case:
    """A unit of work that is no run of a detector on a dataset."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Plain values, as JSON has them, that say all that the result depends on."""
    datasets: tuple[str, ...] = ()
    """The datasets that it needs."""
    device: str | None = None
    """The kind of device ("cpu", "cuda") that it is for; None: any."""
    packages: tuple[str, ...] = ()
    """Packages that it needs and that do not come with slad."""
    experiment: str = ""
    """The name of its study, which `CaseStudy.plan` fills in."""
    run: Callable[[Case, str], dict[str, Any]] | None = None
    """The function of its study that does it."""

    def __str__(self) -> str:
        return self.name

    def path(self, folder: Path) -> Path:
        return folder / f"{self.name}.json"

    def identity(self) -> dict[str, Any]:
        settings = json.loads(json.dumps(dict(self.settings)))
        return {"experiment": self.experiment, "case": self.name, "settings": settings}

    def result(self, device: str) -> dict[str, Any]:
        assert self.run is not None, f"{self.name} was not planned by a study"
        return self.run(self, device)


@dataclass(frozen=True)
class CaseStudy(Study):
    """A study of cases: a look inside a training, a check of a theorem, a timing."""

    cases: Callable[[bool], Sequence[Case]]
    """All cases; of a quick look (True), few and small ones."""
    run: Callable[[Case, str], dict[str, Any]]
    """The result of a case on a device ("auto", "cpu", "cuda"), in plain values without NaN."""

    def listed(self, quick: bool, folder: Path | None) -> Sequence[Case]:
        """All cases; `folder` matters to studies that follow from other records alone."""
        return self.cases(quick)

    def plan(self, **choice: Unpack[Choice]) -> tuple[list[Case], list[str]]:
        """The cases for this kind of device, and what is missing for more."""
        kind = resolve_device(choice.get("device", "auto")).type
        listed = self.listed(choice.get("quick", False), choice.get("folder"))
        cases = [case for case in listed if case.device in (None, kind)]
        if listed and not cases:
            raise ConfigError(f"{self.name} has no cases for {kind}: give another --device")
        known = [case.name for case in cases]
        only = choice.get("cases") or known
        if strange := [name for name in only if name not in known]:
            raise ConfigError(f"{self.name} has no case {strange[0]!r}: {', '.join(known)}")
        planned = [
            replace(case, experiment=self.name, run=self.run) for case in cases if case.name in only
        ]
        return possible(self.name, planned, choice.get("folder"))


W = TypeVar("W", bound=Work)


def possible(study: str, work: Sequence[W], folder: Path | None) -> tuple[list[W], list[str]]:
    """What is recorded in the folder or can be done, and the datasets and packages that lack.

    A damaged file of a dataset is an error, and so is it when there is nothing to do.
    """
    done = recorded_paths(folder) if folder and folder.is_dir() else set()
    open_ = [each for each in work if folder is None or each.path(folder) not in done]
    root = data_root()
    datasets = dict.fromkeys(name for each in open_ for name in each.datasets)
    missing = [name for name in datasets if not is_here(find(name), root)]
    packages = {name for each in open_ for name in each.packages if find_spec(name) is None}
    for name in datasets:
        if name not in missing:
            verify(find(name), root)
    lacking = {*missing, *packages}
    barred = {id(each) for each in open_ if lacking & {*each.datasets, *each.packages}}
    found = [each for each in work if id(each) not in barred]
    if work and not found and missing:
        raise DataError(
            f"none of the datasets of {study} is at hand under {root}: set SLAD_DATA to their "
            f"folder, or fetch them, as with: slad data fetch {missing[0]}"
        )
    if work and not found:
        raise DataError(f"{study} needs packages: pip install {' '.join(sorted(packages))}")
    return found, [*missing, *sorted(packages)]
