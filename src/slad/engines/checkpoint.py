"""Checkpoints of a training on a stream, written beside the model, from which it resumes."""

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
"""Seconds between two checkpoints in the middle of an epoch."""
ENDING = ".checkpoint"


def beside(model: Path) -> Path:
    """The path of a model's checkpoint."""
    return model.with_name(model.name + ENDING)


def read_checkpoint(path: Path, job: dict[str, Any]) -> State | None:
    """The training state of this job, or None without a file; another job's is an error."""
    if not path.exists():
        return None
    description, arrays = read_artifact(path)
    before = description.get("job", {})
    for name in job.keys() | before.keys():
        if before.get(name) != job.get(name):
            raise ConfigError(
                f"{path} belongs to another job: "
                f"{_difference(name, before.get(name), job.get(name))}. "
                "Delete it to start from the beginning, or use another --out"
            )
    return State(description["training"], arrays)


def _difference(name: str, before: Any, now: Any) -> str:
    if isinstance(before, dict) and isinstance(now, dict):
        changed = sorted(key for key in before | now if before.get(key) != now.get(key))
        key = changed[0]
        return f"{name} {key} was {before.get(key)!r} and is {now.get(key)!r}"
    return f"{name} was {before!r} and is {now!r}"


class Checkpoint(Callback):
    """Writes the training state at the end of every epoch, and once a minute.

    Only the first process writes. The others count epochs, so that each can say where the job
    would resume.
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
        self.processes.hint = f"start the same command again to resume from epoch {epoch + 1}"
