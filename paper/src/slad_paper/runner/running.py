"""Carries out a plan in worker processes, one immutable record a run, and resumes where it stopped.

On a GPU, runs whose networks fit together are trained as one stack. On a CPU they are not: a
process of one thread for every core is faster than one stack over all cores.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError, DataError
from slad.core.locks import held_alone
from slad.detectors.stacking import StackDetector
from slad_paper.runner.packing import pack, packed
from slad_paper.runner.plan import Run
from slad_paper.runner.pool import Pool
from slad_paper.runner.progress import Line, work
from slad_paper.runner.records import FORMAT, environment, write_record

STACK = 128
"""Runs trained as one stack on a GPU, at most: what a kill can lose."""


@dataclass(frozen=True)
class Summary:
    planned: int
    present: int
    """Recorded before this start."""
    failed: int


def carry_out(
    runs: Sequence[Run],
    folder: Path,
    *,
    workers: int | None = None,
    device: str = "auto",
    retry: bool = False,
    command: str | None = None,
) -> Summary:
    """Do every run that has no record under `folder` yet; a record is never changed.

    A run that fails is recorded with its reason and not tried again, but with `retry`. The
    records of a detector become one file once all is done.
    """
    gpu = resolve_device(device).type == "cuda"
    workers = workers or os.cpu_count() or 1
    folder.mkdir(parents=True, exist_ok=True)
    with held_alone(folder, "give another --out"):
        summary = _carry_out(runs, folder, workers, gpu, retry, environment(command))
        pack(folder)
        return summary


def _carry_out(
    runs: Sequence[Run], folder: Path, workers: int, gpu: bool, retry: bool, about: dict[str, Any]
) -> Summary:
    for aside in folder.rglob(".*.json*.*"):  # a kill came between writing and renaming
        aside.unlink()
    pending = _pending(runs, folder, retry)
    present = len(runs) - len(pending)
    line = Line(pending, workers)
    line.begin(present)
    with Pool(workers) as pool:
        for run, outcome, seconds in pool.outcomes(*_units(pending, gpu)):
            write_record(run.path(folder), _record(run, outcome, about))
            line.done(run, seconds, outcome["status"] == "failed")
    return Summary(len(runs), present, line.failed)


def _record(run: Run, outcome: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
    about = about | {"time": datetime.now(UTC).isoformat(timespec="seconds")}
    about["cpu_threads"] = outcome.pop("cpu_threads", None)
    return {"format": FORMAT} | run.identity() | outcome | {"environment": about}


def _pending(runs: Sequence[Run], folder: Path, retry: bool) -> list[Run]:
    """The runs without a record; a record of something else under a run's name is an error."""
    pending = []
    lines = packed(folder)
    for run in runs:
        path = run.path(folder)
        record = _single(path) or lines.get(path)
        if record is None:
            pending.append(run)
            continue
        _compare(path, record, run.identity())
        if retry and record["status"] != "ok":
            pending.append(run)
    return pending


def _single(path: Path) -> dict[str, Any] | None:
    """The record in a file of its own, if there is one."""
    try:
        record: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        return None
    except json.JSONDecodeError as error:
        raise DataError(f"{path} is no JSON ({error}): delete it to run it again") from error
    return record


def _compare(path: Path, record: dict[str, Any], identity: dict[str, Any]) -> None:
    def flat(values: dict[str, Any]) -> dict[str, Any]:
        return {**values, **values.get("parameters", {})}

    then, now = flat(record), flat(identity)
    for name in now:
        if name != "parameters" and (name not in then or then[name] != now[name]):
            raise ConfigError(
                f"{path} was made with {name}={then.get(name)!r} and would now be made with "
                f"{now[name]!r}: give another --out, or delete the records that are out of date"
            )


def _units(pending: Sequence[Run], gpu: bool) -> tuple[list[list[Run]], list[list[Run]]]:
    """What is sent to a worker at once: units for the GPU, units for the CPU; long ones first."""
    ordered = sorted(pending, key=work, reverse=True)
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
