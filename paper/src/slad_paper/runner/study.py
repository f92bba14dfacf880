"""What every study has: a name, a folder of records, and cases or runs to do."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, TypedDict, Unpack

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError, DataError
from slad_paper.datasets import data_root, find
from slad_paper.datasets.store import is_here, verify


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


class Work(Protocol):
    """One unit of work of a study, which leaves one record: a case or a run."""

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
        """The cases for this kind of device whose datasets and packages are there."""
        kind = resolve_device(choice.get("device", "auto")).type
        listed = self.listed(choice.get("quick", False), choice.get("folder"))
        cases = [case for case in listed if case.device in (None, kind)]
        if listed and not cases:
            raise ConfigError(f"{self.name} has no cases for {kind}: give another --device")
        known = [case.name for case in cases]
        only = choice.get("cases") or known
        if strange := [name for name in only if name not in known]:
            raise ConfigError(f"{self.name} has no case {strange[0]!r}: {', '.join(known)}")
        cases = [case for case in cases if case.name in only]
        absent = {name for case in cases for name in case.packages if find_spec(name) is None}
        with_packages = [case for case in cases if not absent & set(case.packages)]
        if cases and not with_packages:
            raise DataError(f"{self.name} needs packages: pip install {' '.join(sorted(absent))}")
        missing = at_hand(self.name, [name for case in with_packages for name in case.datasets])[1]
        found = [case for case in with_packages if not {*missing} & set(case.datasets)]
        if with_packages and not found:
            raise _not_at_hand(self.name, missing)
        planned = [replace(case, experiment=self.name, run=self.run) for case in found]
        return planned, [*missing, *sorted(absent)]


def at_hand(study: str, wanted: Iterable[str]) -> tuple[list[str], list[str]]:
    """The datasets whose files are there, and the others; a damaged file is an error."""
    root, chosen = data_root(), list(dict.fromkeys(wanted))
    found = [name for name in chosen if is_here(find(name), root)]
    if chosen and not found:
        raise _not_at_hand(study, chosen)
    for name in found:
        verify(find(name), root)
    return found, [name for name in chosen if name not in found]


def _not_at_hand(study: str, missing: Sequence[str]) -> DataError:
    return DataError(
        f"none of the datasets of {study} is at hand under {data_root()}: set SLAD_DATA to their "
        f"folder, or fetch them, as with: slad data fetch {missing[0]}"
    )
