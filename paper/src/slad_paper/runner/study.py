"""Experiments that are no runs of detectors on datasets: cases of their own, one record a case.

A module with a `STUDY` is such an experiment: a figure that looks inside a training, a check of a
theorem, a timing. It resumes as the others do: what is recorded is not done again.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError, DataError
from slad.core.locks import held_alone
from slad_paper.datasets import data_root, find
from slad_paper.datasets.store import is_here
from slad_paper.runner.progress import duration
from slad_paper.runner.records import FORMAT, environment, write_record


@dataclass(frozen=True)
class Case:
    """One thing to do: its record is named after it and begins with its settings."""

    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Plain values, as JSON has them, that say all that the result depends on."""
    datasets: tuple[str, ...] = ()
    """What must be at hand."""
    device: str | None = None
    """The kind of device ("cpu", "cuda") that it is for, where it matters; None: any."""

    def path(self, folder: Path) -> Path:
        return folder / f"{self.name}.json"


@dataclass(frozen=True)
class Study:
    name: str
    cases: Callable[[bool], Sequence[Case]]
    """All cases; of a quick look (True), few and small ones."""
    run: Callable[[Case, str], dict[str, Any]]
    """The result of a case on a device ("auto", "cpu", "cuda"), in plain values without NaN."""

    def folder(self, quick: bool) -> Path:
        """Where records go unless told."""
        return Path("results") / (f"{self.name}-quick" if quick else self.name)


def carry_out(
    study: Study,
    folder: Path,
    *,
    quick: bool = False,
    device: str = "auto",
    only: Sequence[str] = (),
    command: str | None = None,
) -> int:
    """Do every case that has no record under `folder` yet; how many cases are recorded now."""
    cases = _chosen(study, quick, only, resolve_device(device).type)
    folder.mkdir(parents=True, exist_ok=True)
    with held_alone(folder, "give another --out"):
        pending = [case for case in cases if not _recorded(study, case, folder)]
        print(f"slad: {study.name}: {len(pending)} of {len(cases)} cases to do", file=sys.stderr)
        for number, case in enumerate(pending, 1):
            start = time.perf_counter()
            result = study.run(case, device)
            seconds = time.perf_counter() - start
            write_record(
                case.path(folder),
                _identity(study, case)
                | {"result": result, "seconds": round(seconds, 3)}
                | {"environment": environment(command)},
            )
            print(
                f"slad: {number} of {len(pending)}: {case.name}, {duration(seconds)}",
                file=sys.stderr,
            )
    return len(cases)


def _chosen(study: Study, quick: bool, only: Sequence[str], kind: str) -> list[Case]:
    """The cases for this kind of device with their datasets at hand; of these, those asked for."""
    cases = [case for case in study.cases(quick) if case.device in (None, kind)]
    if not cases:
        raise ConfigError(f"{study.name} has no cases for {kind}: give another --device")
    known = [case.name for case in cases]
    if strange := [name for name in only if name not in known]:
        raise ConfigError(f"{study.name} has no case {strange[0]!r}: {', '.join(known)}")
    cases = [case for case in cases if not only or case.name in only]
    root = data_root()
    missing = {name for case in cases for name in case.datasets if not is_here(find(name), root)}
    if missing:
        print(f"slad: not at hand, left out: {', '.join(sorted(missing))}", file=sys.stderr)
    found = [case for case in cases if not missing & set(case.datasets)]
    if not found:
        raise DataError(
            f"none of the datasets of {study.name} is at hand under {root}: set SLAD_DATA to their "
            f"folder, or fetch them, as with: slad data fetch {min(missing)}"
        )
    return found


def _identity(study: Study, case: Case) -> dict[str, Any]:
    """What a record of a case begins with."""
    return {
        "format": FORMAT,
        "experiment": study.name,
        "case": case.name,
        "settings": json.loads(json.dumps(dict(case.settings))),
    }


def _recorded(study: Study, case: Case, folder: Path) -> bool:
    """Whether the case is recorded; a record of other settings is an error."""
    path = case.path(folder)
    if not path.exists():
        return False
    try:
        record = json.loads(path.read_text())
    except json.JSONDecodeError as error:
        raise DataError(f"{path} is no JSON ({error}): delete it to run it again") from error
    now = _identity(study, case)
    for name, value in now["settings"].items():
        then = record.get("settings", {}).get(name)
        if then != value:
            raise ConfigError(
                f"{path} was made with {name}={then!r} and would now be made with {value!r}: give "
                "another --out, or delete the records that are out of date"
            )
    return True
