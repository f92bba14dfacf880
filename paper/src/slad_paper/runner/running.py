"""The one way in which studies are carried out: one record each, resumed where it stopped.

Runs go to worker processes, cases are done here. On a GPU, runs whose networks fit together are
trained as one stack. On a CPU they are not: a process of one thread for every core is faster than
one stack over all cores.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError
from slad.core.locks import held_alone
from slad.detectors.stacking import StackDetector
from slad_paper.runner.packing import pack, packed
from slad_paper.runner.plan import Run
from slad_paper.runner.pool import Pool
from slad_paper.runner.progress import Line, effort
from slad_paper.runner.records import FORMAT, environment, read_single, write_record
from slad_paper.runner.study import Case, Work

STACK = 128
"""Runs trained as one stack on a GPU, at most: what a kill can lose."""
CONTAINERS = ("parameters", "settings")
"""Parts of a record whose values say what made it."""

Outcome = tuple[Work, dict[str, Any], float]
"""A run or a case, what came of it, and the seconds it took."""


@dataclass(frozen=True)
class Summary:
    planned: int
    present: int
    """Recorded before this start."""
    failed: int


def carry_out(
    work: Sequence[Work],
    folder: Path,
    *,
    workers: int | None = None,
    device: str = "auto",
    retry: bool = False,
    command: str | None = None,
) -> Summary:
    """Do all runs or cases that have no record under `folder` yet; a record is never changed.

    A run that fails is recorded with its reason, and tried again only with `retry`. The records
    of a detector become one file once all is done.
    """
    resolve_device(device)
    folder.mkdir(parents=True, exist_ok=True)
    with held_alone(folder, "give another --out"):
        for aside in folder.rglob(".*.json*.*"):  # a kill came between writing and renaming
            aside.unlink()
        pending = _pending(work, folder, retry)
        present = len(work) - len(pending)
        line = Line(pending, workers or os.cpu_count() or 1)
        line.begin(present, "cases" if any(isinstance(each, Case) for each in work) else "runs")
        about = environment(command)
        for each, outcome, seconds in _outcomes(pending, workers or os.cpu_count() or 1, device):
            write_record(each.path(folder), _record(each, outcome, about))
            line.done(each, seconds, outcome.get("status") == "failed")
        pack(folder)
        return Summary(len(work), present, line.failed)


def _outcomes(pending: Sequence[Work], workers: int, device: str) -> Iterator[Outcome]:
    runs = [each for each in pending if isinstance(each, Run)]
    with Pool[Run](workers) as pool:
        yield from pool.outcomes(*_units(runs, resolve_device(device).type == "cuda"))
    for each in pending:
        if isinstance(each, Case):
            start = time.perf_counter()
            result = each.result(device)
            seconds = time.perf_counter() - start
            yield each, {"result": result, "seconds": round(seconds, 3)}, seconds


def _record(work: Work, outcome: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
    about = about | {"time": datetime.now(UTC).isoformat(timespec="seconds")}
    if isinstance(work, Run):  # of the worker that did it
        about["cpu_threads"] = outcome.pop("cpu_threads", None)
    return {"format": FORMAT} | work.identity() | outcome | {"environment": about}


def _pending(work: Iterable[Work], folder: Path, retry: bool) -> list[Work]:
    """What has no record; a record of something else under its name is an error."""
    pending = []
    lines = packed(folder)
    for each in work:
        path = each.path(folder)
        record = read_single(path) or lines.get(path)
        if record is None:
            pending.append(each)
            continue
        _compare(path, record, each.identity())
        if retry and record.get("status", "ok") != "ok":
            pending.append(each)
    return pending


def _compare(path: Path, record: dict[str, Any], identity: dict[str, Any]) -> None:
    """An error where a record was made with other settings than those of today."""
    then = record | {k: v for name in CONTAINERS for k, v in record.get(name, {}).items()}
    now = identity["settings"] if "settings" in identity else identity | identity["parameters"]
    for name in now:
        if name not in CONTAINERS and (name not in then or then[name] != now[name]):
            raise ConfigError(
                f"{path} was made with {name}={then.get(name)!r} and would now be made with "
                f"{now[name]!r}: give another --out, or delete the records that are out of date"
            )


def _units(pending: Sequence[Run], gpu: bool) -> tuple[list[list[Run]], list[list[Run]]]:
    """What is sent to a worker at once: units for the GPU, units for the CPU; long ones first."""
    ordered = sorted(pending, key=effort, reverse=True)
    if not gpu:
        return [], [[run] for run in ordered]
    stacks: dict[str, list[Run]] = defaultdict(list)
    single, rest = [], []
    for run in ordered:
        detector = run.make("auto")
        if isinstance(detector, StackDetector):
            stacks[run.label or run.detector].append(run)  # one shape of network, where it can be
        elif hasattr(detector, "device"):
            single.append([run])
        else:
            rest.append([run])
    parts = [
        stack[start : start + STACK]
        for stack in stacks.values()
        for start in range(0, len(stack), STACK)
    ]
    return parts + single, rest
