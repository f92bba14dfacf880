"""A training that was killed goes on where it was: what it takes lies beside the model to be."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ConfigError
from slad.core.state import State
from slad.engines.ranks import Processes
from slad.learning import Callback
from slad.learning.callbacks import Report

EVERY = 60.0
"""Seconds after which a checkpoint is written in the middle of an epoch."""
ENDING = ".checkpoint"


def beside(model: Path) -> Path:
    """Where the checkpoint of a model lies."""
    return model.with_name(model.name + ENDING)


def resumed(path: Path, job: dict[str, Any]) -> State | None:
    """The training state of this job; None where there is none, an error for another job's."""
    if not path.exists():
        return None
    description, arrays = read_artifact(path)
    before = description.get("job", {})
    for name in job.keys() | before.keys():
        if before.get(name) != job.get(name):
            raise ConfigError(
                f"{path} is of another job: {_difference(name, before.get(name), job.get(name))}. "
                "Delete it to start anew, or give another --out"
            )
    return State(description["training"], arrays)


def _difference(name: str, before: Any, now: Any) -> str:
    if isinstance(before, dict) and isinstance(now, dict):
        changed = sorted(key for key in before | now if before.get(key) != now.get(key))
        shown = f"{name} {changed[0]}"
        return f"{shown} was {before.get(changed[0])!r} and is {now.get(changed[0])!r}"
    return f"{name} was {before!r} and is {now!r}"


class Checkpoint(Callback):
    """Written by the first process at the end of every epoch, and once a minute.

    The others only keep count, to be able to say from where the job would go on.
    """

    each_epoch = True

    def __init__(self, path: Path, job: dict[str, Any], processes: Processes, epoch: int) -> None:
        self.path, self.job, self.processes = path, job, processes
        self.epoch = epoch
        self._written = time.monotonic()

    def keep(self, report: Report) -> None:
        epoch = max(len(losses) for losses in report.losses)
        if epoch == self.epoch and time.monotonic() - self._written < EVERY:
            return
        if self.processes.rank == 0:
            values, arrays = report.state()
            write_artifact(self.path, {"job": self.job, "training": values}, arrays)
        self.epoch, self._written = epoch, time.monotonic()
        self.processes.again = f"start the same command again to go on from epoch {epoch + 1}"
