"""The fit of SLAD on a stream of rows, for tables larger than memory.

The samples of an epoch are (row, group) pairs, as many as in memory. In memory the rows of a group
are drawn with replacement ("bootstrap"). A stream uses every row equally often: each round takes
all rows once, in groups that the number of the row and the seed determine. With row_sampling="all"
there is one round for every group, and the samples equal those in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from slad.core.rows import DenseRows
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors.slad.labels import weights_of
from slad.detectors.slad.objective import rounds
from slad.detectors.slad.transform import AffineMaps
from slad.detectors.stacking import fit_stack
from slad.detectors.streaming import Prepared, RowStream
from slad.learning import FILL, Callback, Stream

if TYPE_CHECKING:
    from slad.detectors.slad.estimator import SLAD


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


class StreamedSLAD:
    """The fit of a SLAD on a stream; implements `slad.detectors.streaming.StreamedFit`."""

    def __init__(self, detector: SLAD) -> None:
        self.detector = detector
        self.epochs, self.batch_size = detector.epochs, detector.batch_size
        self.scaling = detector.scaling

    def needs_covariances(self, n_features: int) -> bool:
        return n_features < self.detector.weighting_threshold

    def weights(
        self, center: Float[np.ndarray, " d"], covariance: Float[np.ndarray, "d d"]
    ) -> Float[np.ndarray, " d"]:
        return weights_of(center, covariance, rescale=self.detector.rescale_weights)

    def samples_of_epoch(self, n_rows: int) -> int:
        every = self.detector.row_sampling == "all"
        return n_rows * (self.detector.n_groups if every else rounds(n_rows))

    def fit(
        self,
        prepared: Prepared,
        stream: RowStream,
        held: Float[np.ndarray, "n d"],
        *,
        order: Stream,
        callbacks: Sequence[Callback] = (),
    ) -> None:
        detector = self.detector
        table, device = detector._begin(held)
        detector._scaler, detector._weights = prepared.scaler, prepared.weights
        n_samples = self.samples_of_epoch(prepared.n_rows)

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
