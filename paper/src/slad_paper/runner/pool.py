"""Worker processes: they are started, given runs, heard, and replaced when they die.

A run is any dataclass that JSON can hold; what it means is known to the module of the worker.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import IO, TYPE_CHECKING, Any, Generic, Self, TypeVar

from slad.core.errors import TrainingError
from slad_paper.runner.worker import READY, failure

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")
Outcome = tuple[R, dict[str, Any], float]
"""A run, what came of it, and the seconds its worker took."""

GPU_WORKERS = 3
"""Processes that share a GPU: some prepare and score while another trains."""


@dataclass
class _Worker(Generic[R]):
    """A process, and the runs that it was given and has not answered yet."""

    device: str
    process: subprocess.Popen[bytes]
    complaints: IO[bytes]
    waiting: list[R] = field(default_factory=list)
    ready: bool = False
    heard: bytes = b""
    since: float = 0.0

    @classmethod
    def start(cls, module: str, device: str, threads: int) -> Self:
        complaints = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the worker)
        process = subprocess.Popen(
            [sys.executable, "-m", module, device],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            # Where threads of one process meet those of another, both wait more than they work.
            env=os.environ | {"OMP_NUM_THREADS": str(threads)},
            start_new_session=True,  # a Ctrl-C in the terminal is for the runner alone
        )
        return cls(device, process, complaints)

    def give(self, unit: list[R]) -> None:
        assert self.process.stdin is not None
        self.waiting, self.since = list(unit), time.monotonic()
        with suppress(BrokenPipeError):  # it has died: `answers` finds out
            self.process.stdin.write(json.dumps([asdict(run) for run in unit]).encode() + b"\n")
            self.process.stdin.flush()

    def answers(self) -> list[Any] | None:
        """What it has written since the last call; None when it is dead."""
        assert self.process.stdout is not None
        read = os.read(self.process.stdout.fileno(), 1 << 16)
        if not read:
            return None
        *lines, self.heard = (self.heard + read).split(b"\n")
        return [json.loads(line) for line in lines]

    def lap(self) -> float:
        """Seconds since it could begin with its unit, or since its last answer."""
        before, self.since = self.since, time.monotonic()
        return self.since - before

    def cause_of_death(self) -> str:
        code = self.process.wait()
        self.complaints.seek(0)
        lines = self.complaints.read().decode(errors="replace").strip().splitlines()
        if code < 0:
            memory = " (out of memory?)" if code == -9 else ""
            return f"the process was killed by signal {-code}{memory}"
        return f"the process ended with exit code {code}: {lines[-1] if lines else 'no message'}"

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.complaints):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


class Pool(Generic[R]):
    """Workers: some processes for the cores, and some for the GPU where there is work for it."""

    def __init__(self, size: int, module: str = "slad_paper.runner.worker") -> None:
        self.size = size
        self.module = module
        """What a worker runs; it calls `slad_paper.runner.worker.serve`."""
        self.workers: list[_Worker[R]] = []
        self.selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.end()
        self.selector.close()

    def outcomes(self, on_gpu: list[list[R]], on_cpu: list[list[R]]) -> Iterator[Outcome[R]]:
        """The outcome of every run of these units, as they come."""
        queues = {"cuda": on_gpu[::-1], "cpu": on_cpu[::-1]}
        for device, count in (("cuda", GPU_WORKERS), ("cpu", self.size)):
            for _ in range(min(count, len(queues[device]))):
                self._begin(device, queues[device])
        while self.workers:
            for key, _ in self.selector.select():
                worker: _Worker[R] = key.data
                answers = worker.answers()
                if answers is None:
                    yield from self._handle_crash(worker, queues[worker.device])
                    continue
                for outcome in answers:
                    if outcome == READY:
                        worker.ready, worker.since = True, time.monotonic()
                    else:
                        yield worker.waiting.pop(0), outcome, worker.lap()
                if not worker.waiting:
                    self._next(worker, queues[worker.device])

    def _begin(self, device: str, queue: list[list[R]]) -> None:
        threads = 1 if device == "cpu" else max(1, (os.cpu_count() or 1) // 2)
        worker: _Worker[R] = _Worker.start(self.module, device, threads)
        self.workers.append(worker)
        self.selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
        worker.give(queue.pop())

    def _next(self, worker: _Worker[R], queue: list[list[R]]) -> None:
        if queue:
            worker.give(queue.pop())
        else:
            self._dismiss(worker)

    def _dismiss(self, worker: _Worker[R]) -> None:
        self.selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
        self.workers.remove(worker)
        worker.end()

    def _handle_crash(self, worker: _Worker[R], queue: list[list[R]]) -> Iterator[Outcome[R]]:
        """A worker died. Its run has failed; those of a stack are tried again, one by one."""
        reason = worker.cause_of_death()
        lost = worker.waiting
        self._dismiss(worker)
        if not worker.ready and worker.process.returncode >= 0:  # no run is to blame
            raise TrainingError(f"a worker did not start: {reason}")
        if len(lost) == 1:
            yield lost[0], failure(reason), worker.lap()
        else:
            queue.extend([run] for run in lost)
        if queue:
            self._begin(worker.device, queue)
