"""The fit of SLAD on a stream of rows, for tables larger than memory.

The samples of an epoch are (row, group) pairs, as many as in memory. In memory the rows of a group
are drawn with replacement ("bootstrap"). A stream uses every row equally often: each round takes
all rows once, in groups that the number of the row and the seed determine. With row_sampling="all"
there is one round for every group, and the samples equal those in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from slad.core.devices import resolve_device
from slad.core.rows import DenseRows
from slad.core.seeds import Streams, draw_seed
from slad.core.typing import Float, Int
from slad.detectors.parts.scaling import Scaler
from slad.detectors.slad.estimator import SLAD
from slad.detectors.slad.objective import rounds
from slad.detectors.slad.transform import AffineMaps
from slad.detectors.stacking import fit_stack
from slad.learning import FILL, Callback, Stream


@dataclass(frozen=True)
class StreamRows:
    """Rows that come together: their numbers, the round of the epoch, their scaled values."""

    numbers: Int[np.ndarray, " k"]
    rounds: Int[np.ndarray, " k"]
    values: Float[np.ndarray, "k d"]


class RowStream(Protocol):
    """Shuffled training rows, epoch after epoch."""

    def take(self, first: int, count: int) -> StreamRows:
        """Rows `first`, `first + 1`, ... of the stream: the next ones, or the last again."""
        ...


@dataclass(frozen=True)
class Prepared:
    """What there is to know of the training rows before the first comes."""

    n_rows: int
    scaler: Scaler
    weights: Float[np.ndarray, " d"]


@dataclass
class StreamTask:
    """What one member learns from; implements `slad.detectors.slad.objective.Task`."""

    stream: RowStream
    maps: AffineMaps
    labels: Float[np.ndarray, "r c"]
    n_samples: int
    key: int
    device: torch.device
    streams = True

    def find(
        self, samples: Int[Tensor, " k"]
    ) -> tuple[Int[Tensor, " k"], DenseRows, Int[Tensor, " k"]]:
        real = samples != FILL
        places = (real.cumsum(0) - 1).clamp(min=0)  # to fill up: any row, of weight 0
        last, count = int(samples.max()), int(real.sum())
        if count == 0:
            rows = torch.zeros(1, self.maps.subspaces.n_features, device=self.device)
            return torch.zeros_like(samples), DenseRows(rows), places
        found = self.stream.take(last - count + 1, count)
        groups = (_mixed(found.numbers, self.key) + found.rounds) % len(self.labels)
        values = torch.from_numpy(found.values).to(self.device)
        return torch.from_numpy(groups).to(self.device)[places], DenseRows(values), places


def samples_of_epoch(detector: SLAD, n_rows: int) -> int:
    """How many samples a training over a stream of so many rows takes in an epoch."""
    every = detector.row_sampling == "all"
    return n_rows * (detector.n_groups if every else rounds(n_rows))


def fit_stream(
    detector: SLAD,
    prepared: Prepared,
    stream: RowStream,
    judged: Float[np.ndarray, "n d"],
    *,
    order: Stream,
    callbacks: Sequence[Callback] = (),
) -> None:
    """Fit on a stream. `judged`: rows, not scaled, whose scores tell what `predict` flags."""
    detector._check_parameters()
    detector._forget()
    table = detector._check(judged, reset=True)
    device = resolve_device(detector.device)
    detector.seed_ = draw_seed(detector.random_state)
    detector._scaler, detector._weights = prepared.scaler, prepared.weights
    n_samples = samples_of_epoch(detector, prepared.n_rows)

    def task(streams: Streams, maps: AffineMaps, labels: np.ndarray) -> StreamTask:
        return StreamTask(stream, maps, labels, n_samples, streams.key("groups"), device)

    fit_stack([detector._job_of(table, device, task)], callbacks, order)


def _mixed(numbers: Int[np.ndarray, " k"], key: int) -> Int[np.ndarray, " k"]:
    """A number of 32 random bits for each (SplitMix64's finish), whoever asks and when."""
    with np.errstate(over="ignore"):
        bits = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(key % 2**64)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (bits >> np.uint64(32)).astype(np.int64)
