"""Detectors of tables on time series: windows are rows, and time points get the scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import Tags
from sklearn.utils.validation import validate_data

from slad.core.errors import ConfigError, DataError
from slad.core.seeds import RandomState
from slad.core.state import State
from slad.core.typing import Float, Table
from slad.detectors.base import Detector
from slad.detectors.parts.checks import check_choice, check_columns, check_number
from slad.detectors.parts.series_windows import (
    AGGREGATIONS,
    before,
    check_gaps,
    check_length,
    check_shape,
    is_many,
    point_scores,
    window_blocks,
    window_rows,
)

GIVEN = "given"
"""Stands for the parameter `detector` in a saved model; the fitted detector has its parameters."""


class SeriesDetector(Detector):
    """Any detector of tables on the windows of a series: a score for every time point.

    Parameters
    ----------
    detector : Detector
        The detector of windows. A copy of it is fitted.
    window : int, default=10
        Time points of a window.
    stride : int, default=1
        Every `stride`-th window trains. Scores always use all windows.
    aggregation : {"mean", "max"}, default="mean"
        How the scores of all windows with a point are combined into its score.
    online : bool, default=False
        Score a point by the window that ends there, so by the past alone. The series is assumed to
        be constant before its first point. `aggregation` is not used then.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training time points. `predict` flags points that score
        above all but this fraction of the training points; with "auto", above Tukey's fence of
        their scores. A detector that keeps its training rows finds each of them at distance 0:
        take its threshold from points that did not train.
    device : str or None, default=None
        Replaces that of the detector.
    random_state : int, numpy generator or None, default=None
        Replaces that of the detector.

    Attributes
    ----------
    detector_ : Detector
        The fitted detector of windows.
    offset_ : float
    n_features_in_ : int
        The number of channels.
    feature_names_in_ : ndarray, where the series had names of channels

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import KNN, SeriesDetector
    >>> wave = np.sin(np.arange(400) / 5)[:, None]
    >>> stuck = wave.copy()
    >>> stuck[200:220] = stuck[200]
    >>> scores = SeriesDetector(KNN(), window=8).fit(wave).anomaly_score(stuck)
    >>> bool(200 <= scores.argmax() < 220)
    True
    """

    detector: Detector | None

    def __init__(
        self,
        detector: Detector,
        *,
        window: int = 10,
        stride: int = 1,
        aggregation: str = "mean",
        online: bool = False,
        contamination: float | str = "auto",
        device: str | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.detector = detector
        self.window = window
        self.stride = stride
        self.aggregation = aggregation
        self.online = online
        self.contamination = contamination
        self.device = device
        self.random_state = random_state

    # -- fitting ---------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what is normal from a series, or from a list of them. `y` is ignored."""
        self._check_parameters()
        self._check_detector()
        self._forget()
        first, *others = X if is_many(X) else [X]
        series = [self._check(first, reset=True)]
        series += [self._check(other, reset=False) for other in others]
        rows = [window_rows(one, self.window, self.stride) for one in series]
        self.detector_ = self._windows_detector().fit(np.concatenate(rows))
        scores = np.concatenate([self._anomaly_score(one) for one in series])
        self._set_offset(scores)
        self._warn_of_constant(scores)
        return self

    def _windows_detector(self) -> Detector:
        """The detector to fit, with its device and seed."""
        made = self._copied()
        own = made.get_params(deep=False)
        given = {"device": self.device, "random_state": self.random_state}
        made.set_params(**{k: v for k, v in given.items() if v is not None and k in own})
        return made

    def _copied(self) -> Detector:
        made: Detector = clone(self.detector)
        return made

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "window", 1)
        check_number(self, "stride", 1)
        check_choice(self, "aggregation", AGGREGATIONS)

    def _check_detector(self) -> None:
        if not isinstance(self.detector, Detector) or isinstance(self.detector, SeriesDetector):
            raise ConfigError(
                f"detector={self.detector!r} is not a detector of tables; use one of slad.detectors"
            )

    # -- scores: of one series, or a list of them for a list -------------------------------------

    def anomaly_score(self, X: Any) -> Any:
        """The anomaly score of each time point, higher = stranger; a list for a list of series."""
        return _each(super().anomaly_score, X)

    def score_samples(self, X: Any) -> Any:
        return _each(super().score_samples, X)

    def decision_function(self, X: Any) -> Any:
        return _each(super().decision_function, X)

    def predict(self, X: Any) -> Any:
        return _each(super().predict, X)

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        series = before(np.asarray(X), self.window) if self.online else np.asarray(X)
        parts = [self.detector_.anomaly_score(rows) for rows in window_blocks(series, self.window)]
        scores = np.concatenate(parts)
        return scores if self.online else point_scores(scores, self.window, self.aggregation)

    def _check(self, X: Any, *, reset: bool) -> Table:
        """One series, time points by channels, without gaps and long enough for a window."""
        check_shape(X)
        check_columns(X)
        width = np.shape(X)[1]
        if not reset and width != self.n_features_in_:
            raise DataError(
                f"a series has {width} channels, the first training series has "
                f"{self.n_features_in_}: use the same channels in the same order"
            )
        series: np.ndarray = validate_data(self, X, reset=reset, ensure_all_finite=False)
        check_gaps(series, getattr(self, "feature_names_in_", None))
        check_length(series, self.window)
        return series

    @property
    def keeps_training_data(self) -> bool:  # type: ignore[override]
        """Whether the detector of windows does."""
        return bool(
            getattr(getattr(self, "detector_", self.detector), "keeps_training_data", False)
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        description, arrays = self.detector_.state()
        return State({"detector": description}, arrays)

    def _set_fitted_state(self, state: State) -> None:
        description = state.values["detector"]
        has_device = "device" in description["parameters"]
        chosen = {"device": self.device} if self.device is not None and has_device else {}
        windows = State(description, state.arrays)
        self.detector_ = self._class_of(description).from_state(windows, **chosen)
        if self.detector == GIVEN:
            self.detector = self._unfitted()
        self._check_detector()

    def _class_of(self, description: dict[str, Any]) -> type[Detector]:
        from slad.detectors.registry import class_of  # it imports this module

        return class_of(description, "this model of a series")

    def _unfitted(self) -> Detector:
        """The parameter `detector` of a loaded model."""
        made: Detector = clone(self.detector_)
        return made

    def _plain_parameter(self, name: str, value: Any) -> Any:
        if name == "detector":
            return GIVEN
        if name == "random_state":
            return getattr(self.detector_, "seed_", None)
        return super()._plain_parameter(name, value)


def _each(method: Callable[[Any], Any], X: Any) -> Any:
    return [method(one) for one in X] if is_many(X) else method(X)
