"""The windows of a time series, and scores of time points from scores of windows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from slad.core.errors import DataError
from slad.core.typing import Float

BLOCK = 2**23
"""Cells of windows that are made at once: 64 MB in double precision."""

AGGREGATIONS = ("mean", "max")


def is_many(X: Any) -> bool:
    """Whether `X` is a list of series rather than one."""
    return isinstance(X, list | tuple) and len(X) > 0 and np.ndim(X[0]) == 2


def check_shape(X: Any) -> None:
    """Refuse anything that is not an array of time points by channels."""
    shape = np.shape(X)
    if len(shape) == 1:
        raise DataError(
            f"a series of shape {shape} has no channels: use time points by channels, for one "
            "channel series.reshape(-1, 1)"
        )
    if len(shape) != 2:
        raise DataError(
            f"a series of shape {shape} is not time points by channels: use an array of two "
            "dimensions, or a list of such arrays"
        )


def check_length(series: np.ndarray, window: int) -> None:
    if len(series) < window:
        raise DataError(
            f"a series of {len(series)} time points is shorter than {window=}: use a longer "
            "series, or fit with a smaller window"
        )


def check_gaps(series: np.ndarray, names: np.ndarray | None) -> None:
    """Refuse NaN and infinity: a window cannot leave a time point out, as a table can a row."""
    bad = ~np.isfinite(series) if series.dtype.kind == "f" else np.zeros((1, 1), dtype=bool)
    if bad.any():
        channel = int(bad.sum(axis=0).argmax())
        first = int(bad[:, channel].argmax())
        name = f"{channel}" if names is None else f"{names[channel]!r}"
        raise DataError(
            f"channel {name} has {bad[:, channel].sum()} NaN or infinite cells of {len(series)}, "
            f"the first at time point {first} ({series[first, channel]}): fill the gaps in, for "
            "example by interpolation, or cut the series there and use the pieces as a list"
        )


def window_rows(series: np.ndarray, window: int, stride: int = 1) -> Float[np.ndarray, "n cells"]:
    """Every `stride`-th window as a row: all channels of its first time point, then of the next.

    >>> window_rows(np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]), 2).tolist()
    [[1.0, 10.0, 2.0, 20.0], [2.0, 20.0, 3.0, 30.0]]
    """
    views = sliding_window_view(series, window, axis=0)[::stride]
    return views.transpose(0, 2, 1).reshape(len(views), -1)


def window_blocks(series: np.ndarray, window: int) -> Iterator[Float[np.ndarray, "n cells"]]:
    """All windows in order, in blocks of bounded size."""
    size = max(1, BLOCK // (window * series.shape[1]))
    for start in range(0, len(series) - window + 1, size):
        yield window_rows(series[start : start + size + window - 1], window)


def before(series: np.ndarray, window: int) -> np.ndarray:
    """The series after window - 1 copies of its first point: a window ends at every point."""
    return np.concatenate([np.repeat(series[:1], window - 1, axis=0), series])


def point_scores(
    of_windows: Float[np.ndarray, " n"], window: int, aggregation: str
) -> Float[np.ndarray, " t"]:
    """The mean or the largest of the scores of all windows with a point.

    Points at the ends are in fewer windows than others, but in at least one.

    >>> point_scores(np.array([1.0, 3.0]), 2, "mean").tolist()
    [1.0, 2.0, 3.0]
    """
    empty = -np.inf if aggregation == "max" else np.nan
    padding = np.full(window - 1, empty)
    held_by = sliding_window_view(np.concatenate([padding, of_windows, padding]), window)
    scores: np.ndarray = held_by.max(axis=1) if aggregation == "max" else np.nanmean(held_by, 1)
    return scores
