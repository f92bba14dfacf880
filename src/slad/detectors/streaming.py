"""Fits on rows that come in a stream, for tables that no memory holds: what the two sides agree on.

A detector with `Capability.STREAM_FIT` returns a `StreamedFit`; an engine brings the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from slad.core.typing import Float, Int
from slad.detectors.parts.scaling import Scaler
from slad.learning import Callback, Stream


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
    """What is known of the training rows before the first of them comes."""

    n_rows: int
    scaler: Scaler
    weights: Float[np.ndarray, " d"]


class StreamedFit(Protocol):
    """How one detector is fitted on a stream."""

    @property
    def epochs(self) -> int: ...

    @property
    def batch_size(self) -> int: ...

    @property
    def scaling(self) -> str:
        """The kind of `Scaler` that `Prepared` must hold."""
        ...

    def needs_covariances(self, n_features: int) -> bool:
        """Whether feature weights of a table of this width follow from covariances."""
        ...

    def weights(
        self, center: Float[np.ndarray, " d"], covariance: Float[np.ndarray, "d d"]
    ) -> Float[np.ndarray, " d"]:
        """Feature weights from the means and covariances of the scaled rows."""
        ...

    def samples_of_epoch(self, n_rows: int) -> int:
        """How many samples an epoch takes from a stream of so many rows."""
        ...

    def fit(
        self,
        prepared: Prepared,
        stream: RowStream,
        held: Float[np.ndarray, "n d"],
        *,
        order: Stream,
        callbacks: Sequence[Callback] = (),
    ) -> None:
        """Fit the detector. The scores of `held`, rows not scaled, set what `predict` flags."""
        ...
