"""Carries out a plan in worker processes, one immutable record a run, and resumes where it stopped.

On a GPU, runs whose networks fit together are trained as one stack. On a CPU they are not: a
process of one thread for every core is faster than one stack over all cores.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError, DataError, TrainingError
from slad.detectors.stacking import StackDetector
from slad.experiments.plan import Run
from slad.experiments.progress import Line, work
from slad.experiments.records import environment, write_record
from slad.experiments.worker import READY, failure

FORMAT = 1
STACK = 128
"""Runs trained as one stack on a GPU, at most: what a kill can lose."""
GPU_WORKERS = 2
"""Processes that share a GPU: one prepares and judges while the other trains."""


Outcome = tuple[Run, dict[str, Any], float]
"""A run, what came of it, and the seconds its worker took."""


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

    A run that fails is recorded with its reason and not tried again, but with `retry`.
    """
    gpu = resolve_device(device).type == "cuda"
    workers = workers or os.cpu_count() or 1
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        pending = _pending(runs, folder, retry)
        present = len(runs) - len(pending)
        line = Line(pending, workers)
        about = environment(command)
        pool = _Pool(workers if pending else 0, gpu)
        with pool:
            for run, outcome, seconds in pool.outcomes(_units(pending, gpu)):
                write_record(run.path(folder), _record(run, outcome, about))
                line.done(run, seconds, outcome["status"] != "ok")
    return Summary(len(runs), present, line.failed)


def _record(run: Run, outcome: dict[str, Any], about: dict[str, Any]) -> dict[str, Any]:
    about = about | {"time": datetime.now(UTC).isoformat(timespec="seconds")}
    about["cpu_threads"] = outcome.pop("cpu_threads", None)
    return {"format": FORMAT} | run.identity() | outcome | {"environment": about}


def _pending(runs: Sequence[Run], folder: Path, retry: bool) -> list[Run]:
    """The runs without a record; a record of something else under a run's name is an error."""
    pending = []
    for run in runs:
        path = run.path(folder)
        try:
            record = json.loads(path.read_text())
        except FileNotFoundError:
            pending.append(run)
            continue
        except json.JSONDecodeError as error:
            raise DataError(f"{path} is no JSON ({error}): delete it to run it again") from error
        _compare(path, record, run.identity())
        if retry and record["status"] != "ok":
            pending.append(run)
    return pending


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
            stacks[run.detector].append(run)
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


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """No second runner on the same records. The lock ends with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows: nothing holds a second runner off, and both do the same work
        yield
        return
    with open(folder / ".lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ConfigError(
                f"another run is writing to {folder}: wait for it, or give another --out"
            ) from error
        yield


@dataclass
class _Worker:
    """A process, what it was given, and what it has not answered yet."""

    device: str
    process: subprocess.Popen[bytes]
    complaints: IO[bytes]
    waiting: list[Run] = field(default_factory=list)
    ready: bool = False
    heard: bytes = b""
    since: float = 0.0

    @classmethod
    def start(cls, device: str, threads: int) -> _Worker:
        complaints = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the worker)
        process = subprocess.Popen(
            [sys.executable, "-m", "slad.experiments.worker", device],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            # Where threads of one process meet those of another, both wait more than they work.
            env=os.environ | {"OMP_NUM_THREADS": str(threads)},
            start_new_session=True,  # a Ctrl-C in the terminal is for the runner alone
        )
        return cls(device, process, complaints)

    def give(self, unit: list[Run]) -> None:
        assert self.process.stdin is not None
        self.waiting, self.since = list(unit), time.monotonic()
        with suppress(BrokenPipeError):  # it has died: its silence will tell
            self.process.stdin.write(json.dumps([run.to_json() for run in unit]).encode() + b"\n")
            self.process.stdin.flush()

    def answers(self) -> list[Any] | None:
        """What it has said since; None when it is dead."""
        assert self.process.stdout is not None
        read = os.read(self.process.stdout.fileno(), 1 << 16)
        if not read:
            return None
        *lines, self.heard = (self.heard + read).split(b"\n")
        return [json.loads(line) for line in lines]

    def lap(self) -> float:
        """Seconds since it was given its unit, or since its last answer."""
        before, self.since = self.since, time.monotonic()
        return self.since - before

    def cause_of_death(self) -> str:
        code = self.process.wait()
        self.complaints.seek(0)
        lines = self.complaints.read().decode(errors="replace").strip().splitlines()
        if code < 0:
            memory = " (out of memory?)" if code == -9 else ""
            return f"the process was killed by signal {-code}{memory}"
        return f"the process ended with exit code {code}: {lines[-1] if lines else 'no word'}"

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.complaints):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


class _Pool:
    """Workers: one process a core, and one for the GPU where there is one."""

    def __init__(self, workers: int, gpu: bool) -> None:
        self.gpu, self.size = gpu, workers
        self.workers: list[_Worker] = []
        self.selector = selectors.DefaultSelector()

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.end()
        self.selector.close()

    def outcomes(self, units: tuple[list[list[Run]], list[list[Run]]]) -> Iterator[Outcome]:
        """The outcome of every run, as they come."""
        queues = {"cuda": units[0][::-1], "cpu": units[1][::-1]}
        for device, count in (("cuda", GPU_WORKERS), ("cpu", self.size)):
            for _ in range(min(count, len(queues[device]))):
                self._begin(device, queues[device])
        while self.workers:
            for key, _ in self.selector.select():
                worker: _Worker = key.data
                answers = worker.answers()
                if answers is None:
                    yield from self._bury(worker, queues[worker.device])
                    continue
                for outcome in answers:
                    if outcome == READY:
                        worker.ready = True
                    else:
                        yield worker.waiting.pop(0), outcome, worker.lap()
                if not worker.waiting:
                    self._next(worker, queues[worker.device])

    def _begin(self, device: str, queue: list[list[Run]]) -> None:
        threads = 1 if device == "cpu" else max(1, (os.cpu_count() or 1) // 2)
        worker = _Worker.start(device, threads)
        self.workers.append(worker)
        self.selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]
        worker.give(queue.pop())

    def _next(self, worker: _Worker, queue: list[list[Run]]) -> None:
        if queue:
            worker.give(queue.pop())
        else:
            self._dismiss(worker)

    def _dismiss(self, worker: _Worker) -> None:
        self.selector.unregister(worker.process.stdout)  # type: ignore[arg-type]
        self.workers.remove(worker)
        worker.end()

    def _bury(self, worker: _Worker, queue: list[list[Run]]) -> Iterator[Outcome]:
        """A worker died. Its run has failed; those of a stack are tried again, one by one."""
        reason = worker.cause_of_death()
        lost = worker.waiting
        self._dismiss(worker)
        if not worker.ready:  # no run is to blame
            raise TrainingError(f"a worker did not start: {reason}")
        if len(lost) == 1:
            yield lost[0], failure(reason), worker.lap()
        else:
            queue.extend([run] for run in lost)
        if queue:
            self._begin(worker.device, queue)
