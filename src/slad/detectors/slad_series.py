"""Scale learning for time series: rows are windows, subspaces are channels over a time span.

The SLAD paper names time series as a direction, "by defining appropriate sampling operation, the
transformation function, and the labeling function". Here sampling draws channels and time points
of a window, the transformation is the paper's, and the labels count a channel over a whole window
as one feature, since its neighbouring values say nearly the same: with one for every cell the
labels of a group are one-hot and there is little left to learn. paper/docs/results/series.md
shows the effect of both, and how SLADSeries compares.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import torch

from slad.core.errors import ConfigError
from slad.core.rows import Rows
from slad.core.seeds import RandomState, Streams
from slad.core.typing import Table
from slad.detectors.base import Capability, Detector
from slad.detectors.parts.checks import check_choice
from slad.detectors.parts.scaling import Scaler
from slad.detectors.parts.window_subspaces import WAYS, sample_window_subspaces
from slad.detectors.series import SeriesDetector
from slad.detectors.slad.estimator import SLAD
from slad.detectors.slad.subspaces import Subspaces

SUBSPACES = (*WAYS, "cells")
EPOCHS = 10
"""The epochs behind the figures of time series; tables use more."""


class WindowSLAD(SLAD):
    """SLAD of the windows of a series. Made by `SLADSeries`, not by users."""

    capabilities = SLAD.capabilities - {Capability.STREAM_FIT, Capability.SHARED_FIT}
    _layout: tuple[str, int, int] | None = None
    """How lags are drawn, the window and the number of channels. None in a loaded model."""

    @classmethod
    def of(cls, detector: SLAD, way: str, window: int, n_channels: int) -> Self:
        made = cls(**detector.get_params(deep=False))
        made._layout = way, window, n_channels
        return made

    def _prepare(self, table: Table, device: torch.device) -> tuple[Scaler, Rows, np.ndarray]:
        """As for tables, with the weight of a feature shared by the lags of a channel."""
        assert self._layout is not None
        scaler, rows, weights = super()._prepare(table, device)
        return scaler, rows, weights / self._layout[1]

    def _subspaces(self, streams: Streams) -> Subspaces:
        assert self._layout is not None
        way, window, n_channels = self._layout
        if way == "cells":
            return super()._subspaces(streams)
        return sample_window_subspaces(
            way,
            window,
            n_channels,
            n_groups=self.n_groups,
            group_size=self.group_size,
            rng=streams.numpy("subspaces"),
        )


class SLADSeries(SeriesDetector):
    """Scale learning for multivariate time series.

    A row is a window of the series, and the SLAD paper's method learns on these rows with subspaces
    that are parts of a window. A row's score goes to the time points it holds.

    Parameters
    ----------
    window : int, default=10
        Time points of a window.
    stride : int, default=1
        Every `stride`-th window trains. Scores always use all windows.
    subspaces : {"spans", "lags", "cells"}, default="spans"
        What a subspace is: some channels over some time points that follow each other, some
        channels at any time points, or any cells of the window (the paper's way for tables).
    aggregation : {"mean", "max"}, default="mean"
        How the scores of all windows with a point are combined into its score.
    online : bool, default=False
        Score a point by the window that ends there, so by the past alone. The series is assumed to
        be constant before its first point. `aggregation` is not used then.
    detector : SLAD or None, default=None
        For other parameters than the defaults, as in SLADSeries(detector=SLAD(epochs=20)).
        Its `length_pool` and `replace_up_to` are for "cells" alone.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training time points. `predict` flags points that score
        above all but this fraction of the training points; with "auto", above Tukey's fence of
        their scores.
    device : str or None, default=None
        In place of the detector's own ("auto": a GPU where there is one).
    random_state : int, numpy generator or None, default=None
        In place of the detector's own.

    Attributes
    ----------
    detector_ : SLAD
        The fitted detector of windows.
    offset_ : float
    n_features_in_ : int
        The number of channels.
    feature_names_in_ : ndarray, where the series had names of channels

    Examples
    --------
    >>> import numpy as np
    >>> from slad import SLADSeries
    >>> time = np.arange(600)
    >>> usual = np.stack([np.sin(time / 5), np.cos(time / 5)], axis=1)
    >>> strange = usual.copy()
    >>> strange[300:310, 1] = -strange[300:310, 1]
    >>> scores = SLADSeries(window=8, random_state=0).fit(usual).anomaly_score(strange)
    >>> bool(295 <= scores.argmax() < 315)
    True
    """

    def __init__(
        self,
        *,
        window: int = 10,
        stride: int = 1,
        subspaces: str = "spans",
        aggregation: str = "mean",
        online: bool = False,
        detector: SLAD | None = None,
        contamination: float | str = "auto",
        device: str | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.window = window
        self.stride = stride
        self.subspaces = subspaces
        self.aggregation = aggregation
        self.online = online
        self.detector = detector
        self.contamination = contamination
        self.device = device
        self.random_state = random_state

    def _check_parameters(self) -> None:
        check_choice(self, "subspaces", SUBSPACES)
        super()._check_parameters()

    def _check_detector(self) -> None:
        if self.detector is not None and not isinstance(self.detector, SLAD):
            raise ConfigError(
                f"detector={self.detector!r} is not a SLAD; use one, or None for its "
                "defaults; slad.detectors.SeriesDetector takes other detectors"
            )

    def _copied(self) -> SLAD:
        chosen = self.detector if isinstance(self.detector, SLAD) else SLAD(epochs=EPOCHS)
        return WindowSLAD.of(chosen, self.subspaces, self.window, self.n_features_in_)

    def _class_of(self, description: dict[str, Any]) -> type[Detector]:
        return WindowSLAD

    def _unfitted(self) -> SLAD:
        return SLAD(**self.detector_.get_params(deep=False))
