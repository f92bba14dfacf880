"""The paper's scalability test: seconds of training and inference as tables grow.

5,000 rows of 64 to 4,096 features, and 4,000 to 256,000 rows of 32 features; 10 epochs, then all
rows are scored. Every deep detector of ours, and in the same run, by turns with it, the same method
in DeepOD or PyOD where SLAD_PEERS names the folder that they are in:

    pip install --no-deps --target DIR deepod==0.4.1 pyod
    SLAD_PEERS=DIR slad reproduce scalability --device cuda

Short cells are repeated, and the shortest time counts. Once a size takes a detector longer than the
limit, its larger sizes are skipped, and recorded as skipped; a peer is cut off there at once, for
some take minutes for the smallest size.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
import torch

from slad.core.devices import resolve_device
from slad.core.errors import ResourceError
from slad.detectors import registry
from slad_paper.runner.peers import (
    CLASSES,
    GAAL_EPOCHS,
    kept_apart,
    make_peer,
    peer_class,
    peers_folder,
)
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.runner.timing import cut_off, rows_like, seconds

DETECTORS = ("slad-released", "slad-subspaces", "icl", "icl-deepod", "neutral", "goad", "rca",
             "dsvdd", "so-gaal", "mo-gaal")  # fmt: skip
FEATURES, ROWS = (64, 128, 256, 1024, 2048, 4096), tuple(4000 * 2**k for k in range(7))
OF_FEATURES, OF_ROWS = 5_000, 32
"""Rows where features grow, and features where rows grow."""
EPOCHS, BATCH = 10, 128
LIMIT = {"cpu": 20.0, "cuda": 8.0}
PEER_LIMIT = {"cpu": 30.0, "cuda": 6.0}
PATIENCE = {("slad-released", "features"): 60.0, ("slad-released", "rows"): 30.0}
"""Seconds that a peer may take at least: the method's own takes 7 s and more."""
NO_PEER = ("icl",)
"""DeepOD's is the method of icl-deepod, beside which it is timed."""
REPEATS, REPEATED = 3, 1.0
"""Repeats of a cell, and the seconds that it must be below."""
WARM_UP_ROWS, WARM_UP_LIMIT = 200, 120.0
"""Of a first fit, not counted. Cut off in the middle of an import, a library stays broken."""


def cases(quick: bool) -> list[Case]:
    """For either kind of device: both axes for every detector."""
    detectors = ("slad-released", "dsvdd") if quick else DETECTORS
    sizes = {"features": (8, 16), "rows": (500, 1000)} if quick else dict(_AXES)
    return [
        Case(
            f"{axis}-{device}-{name}",
            {
                "axis": axis,
                "device": device,
                "detector": name,
                "shapes": [_shape(axis, size, quick) for size in sizes[axis]],
                "epochs": _epochs(name, 2 if quick else EPOCHS),
                "limit": LIMIT[device],
                "peer_limit": max(PEER_LIMIT[device], PATIENCE.get((name, axis), 0.0)),
                "repeats": REPEATS,
            },
            device=device,
        )
        for device in LIMIT
        for axis in sizes
        for name in detectors
    ]


_AXES = {"features": FEATURES, "rows": ROWS}


def _shape(axis: str, size: int, quick: bool) -> list[int]:
    rows = 500 if quick else OF_FEATURES
    return [rows, size] if axis == "features" else [size, OF_ROWS]


def _epochs(name: str, epochs: int) -> int:
    return GAAL_EPOCHS if name.endswith("gaal") else epochs


@dataclass
class Timer:
    """One implementation on its way from the smallest size to the largest."""

    make: Callable[[int, int], Any]
    """A fresh detector of a seed and a number of epochs."""
    score: str
    """The method that scores."""
    device: torch.device
    limit: float
    stopped: str = ""
    """Why larger sizes are skipped."""
    found: dict[str, Any] = field(default_factory=dict)
    """Of the size at hand."""
    failures: ClassVar[tuple[type[Exception], ...]] = (ResourceError, MemoryError)
    """What may go wrong with a table that is too large; all else is a mistake of ours."""

    def begin(self) -> None:
        """A new size."""
        self.found = {"skipped": self.stopped} if self.stopped else {"fit": [], "score": []}

    def time(self, rows: np.ndarray, seed: int, epochs: int) -> None:
        """Fit and score once, or once more where that takes no time."""
        if self.stopped or (self.found["fit"] and self.best > REPEATED):
            return
        shape = f"{rows.shape[0]:,} x {rows.shape[1]:,}"
        try:
            fit, score = self._timed(rows, seed, epochs)
        except TimeoutError:
            self.found, self.stopped = {"over": self.limit}, f"over {self.limit:g} s at {shape}"
            return
        except self.failures as error:
            self.found = {"failed": f"{type(error).__name__}: {error}"}
            self.stopped = f"failed at {shape}: {error}"
            return
        self.found["fit"].append(fit)
        self.found["score"].append(score)

    def end(self, shape: str) -> None:
        """A size is done: skip those beyond it if it took longer than the limit."""
        if not self.stopped and self.best > self.limit:
            self.stopped = f"{self.best:.1f} s at {shape}, over {self.limit:g} s"

    @property
    def best(self) -> float:
        """The shortest fit and the shortest scoring together."""
        return float(min(self.found["fit"]) + min(self.found["score"]))

    def told(self) -> str:
        return f"{self.best:.2f} s" if "fit" in self.found else next(iter(self.found))

    def _timed(self, rows: np.ndarray, seed: int, epochs: int) -> tuple[float, float]:
        detector = self.make(seed, epochs)
        fit = seconds(lambda: detector.fit(rows), self.device)
        return fit, seconds(lambda: getattr(detector, self.score)(rows), self.device)


class PeerTimer(Timer):
    """The same for other people's code, which is kept apart, and cut off at the limit."""

    failures = (Exception,)

    def _timed(self, rows: np.ndarray, seed: int, epochs: int) -> tuple[float, float]:
        with kept_apart(seed), cut_off(self.limit):
            return super()._timed(rows, seed, epochs)


def run(case: Case, device: str) -> dict[str, Any]:
    """Seconds of ours, and of the peer if there is one, at every size."""
    settings, where = case.settings, resolve_device(device)
    name, epochs, shapes = settings["detector"], settings["epochs"], settings["shapes"]
    timers = {"ours": _ours(name, where, settings["limit"])}
    if peer := _peer(name, where, settings["peer_limit"]):
        timers["peer"] = peer
    _warm_up(timers, shapes[0][1])
    cells = []
    for n, d in shapes:
        _by_turns(timers, n, d, epochs, settings["repeats"])
        cells.append({"rows": n, "features": d} | {who: t.found for who, t in timers.items()})
        told = ", ".join(f"{who} {timer.told()}" for who, timer in timers.items())
        print(f"slad: {case.name}, {n:,} x {d:,}: {told}", file=sys.stderr, flush=True)
    return {"cells": cells, "peer": CLASSES[name] if "peer" in timers else None}


def _warm_up(timers: dict[str, Timer], d: int) -> None:
    """Libraries load, a GPU makes its kernels. What fails here is not tried again."""
    patient = {who: replace(timer, limit=WARM_UP_LIMIT) for who, timer in timers.items()}
    _by_turns(patient, WARM_UP_ROWS, d, 1, 1)
    for who, timer in timers.items():
        timer.stopped = patient[who].stopped


def _by_turns(timers: dict[str, Timer], n: int, d: int, epochs: int, repeats: int) -> None:
    """One size: ours, the peer, ours again."""
    rows, _ = rows_like(n, d)
    for timer in timers.values():
        timer.begin()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ten epochs are too few for some to learn
        for seed in range(repeats):
            for timer in timers.values():
                timer.time(rows, seed, epochs)
    for timer in timers.values():
        timer.end(f"{n:,} x {d:,}")


def _ours(name: str, device: torch.device, limit: float) -> Timer:
    has = registry.make(name).get_params(deep=False)
    plain = {"batch_size": BATCH, "n_members": 1} if not name.endswith("gaal") else {}
    settings = {key: value for key, value in plain.items() if key in has}

    def make(seed: int, epochs: int) -> Any:
        return registry.make(name, random_state=seed, device=device.type, epochs=epochs, **settings)

    return Timer(make, "anomaly_score", device, limit)


def _peer(name: str, device: torch.device, limit: float) -> PeerTimer | None:
    """The same method elsewhere, where that is at hand."""
    wanted = name in CLASSES and name not in NO_PEER and peers_folder()
    cls = peer_class(name) if wanted else None
    if cls is None:
        return None

    def make(seed: int, epochs: int) -> Any:
        return make_peer(name, cls, seed, device, epochs)

    return PeerTimer(make, "decision_function", device, limit)


STUDY = CaseStudy(name="scalability", cases=cases, run=run)
