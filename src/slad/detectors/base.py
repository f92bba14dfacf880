"""The contract of every detector: scikit-learn's, plus anomaly scores, saving and loading."""

from __future__ import annotations

import os
import warnings
from enum import StrEnum
from inspect import signature
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from slad.core import former
from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError, ConfigError, TrainingError, TrainingWarning
from slad.core.state import State
from slad.core.typing import Float, Int, Table, is_sparse
from slad.core.version import __version__
from slad.detectors.parts.checks import check_columns, check_finite
from slad.detectors.parts.sparse import short_indices

if TYPE_CHECKING:
    from slad.detectors.parts.onnx_graph import Graph
    from slad.detectors.streaming import StreamedFit

AUTO_FENCE = 1.5
LOADABLE = ("device", "verbose")
"""Parameters that may change on loading."""


class Capability(StrEnum):
    """What some detectors can do and others cannot. A value ends the sentence "KNN cannot ..."."""

    STACK = "be fitted together with others"
    """`fit_many` trains its networks as members of one stack."""
    STREAM_FIT = "learn from a stream of rows"
    """It is one of `FitsStreams`."""
    SHARED_FIT = "be trained by several processes"
    """What `streamed` returns trains with any number of processes."""
    PARALLEL_SCORE = "score in several threads at once"
    SCORE_PARTS = "estimate the error of a score"
    """`score_parts` gives several numbers a row, whose spread estimates the error of their mean."""
    ROW_COST = "count the operations that a row takes"
    """It is one of `CountsOperations`."""
    ONNX = "be written as an ONNX graph"
    """It is one of `WritesOnnx`, which may still refuse some of its settings."""


class FitsStreams(Protocol):
    """A detector with `Capability.STREAM_FIT`."""

    def streamed(self) -> StreamedFit:
        """The fit of this detector on a stream of rows."""
        ...


class CountsOperations(Protocol):
    """A detector with `Capability.ROW_COST`."""

    def row_operations(self) -> int:
        """Multiplications and additions of scoring one row."""
        ...


class WritesOnnx(Protocol):
    """A detector with `Capability.ONNX`."""

    def write_onnx(self, graph: Graph, rows: str) -> str:
        """Add the scoring of encoded rows to a graph; returns the name of the scores' tensor.

        ConfigError if the settings of the detector have no graph.
        """
        ...


class Detector(OutlierMixin, BaseEstimator):  # type: ignore[misc]
    """Base of all detectors. Inside slad a higher score means stranger; only this class makes
    scikit-learn's opposite sign."""

    capabilities: ClassVar[frozenset[Capability]] = frozenset()
    contamination: float | str
    keeps_training_data: ClassVar[bool] = False
    """Whether a fitted model, and so its file, holds cells of the training table."""

    # -- to be written by each detector --------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        raise NotImplementedError

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        """Anomaly scores of a checked table."""
        raise NotImplementedError

    def _fitted_state(self) -> State:
        """What `fit` learned: all that a saved model needs besides the parameters."""
        raise NotImplementedError

    def _set_fitted_state(self, state: State) -> None:
        """Become fitted from a `_fitted_state`. The parameters are set and checked already."""
        raise NotImplementedError

    def _check_parameters(self) -> None:
        """Raise ConfigError for parameters that cannot work; extended by each detector."""
        value: Any = self.contamination
        number = isinstance(value, Real) and not isinstance(value, np.bool_ | bool)
        if not (number and 0 <= float(value) <= 0.5) and value != "auto":
            raise ConfigError(
                f"contamination={value!r} is not a fraction from 0 to 0.5, the anomalies among the "
                "training rows; use one, or 'auto'"
            )

    # -- scores and decisions --------------------------------------------------------------------

    def anomaly_score(self, X: Any) -> Float[np.ndarray, " n"]:
        """The anomaly score of each row, higher = stranger."""
        check_is_fitted(self)
        scores = self._anomaly_score(self._check(X, reset=False))
        if not np.isfinite(scores).all():
            count = int((~np.isfinite(scores)).sum())
            raise TrainingError(
                f"{count} of {len(scores)} scores are not numbers, so the model is unusable: "
                "fit it again with another scaling or a lower learning rate"
            )
        return scores

    def score_parts(self, X: Any) -> Float[np.ndarray, "n parts"]:
        """The parts that each score is the mean of. Their spread shows the error of the score."""
        return self.anomaly_score(X)[:, None]

    def score_samples(self, X: Any) -> Float[np.ndarray, " n"]:
        """The anomaly score with scikit-learn's sign: lower = stranger."""
        return -self.anomaly_score(X)

    def decision_function(self, X: Any) -> Float[np.ndarray, " n"]:
        """`score_samples` shifted so that flagged rows are below zero."""
        return self.score_samples(X) - self.offset_

    def predict(self, X: Any) -> Int[np.ndarray, " n"]:
        """-1 for flagged rows, 1 for others."""
        return np.where(self.decision_function(X) < 0, -1, 1)

    def _set_offset(self, training_scores: Float[np.ndarray, " n"]) -> None:
        """Set the threshold of `contamination`, in scikit-learn's sign.

        "auto" is Tukey's fence of the training scores: the upper quartile plus 1.5 times the
        distance between the quartiles.
        """
        if self.contamination == "auto":
            low, high = np.percentile(training_scores, [25, 75])
            self.offset_ = -float(high + AUTO_FENCE * (high - low))
        else:
            self.offset_ = float(np.percentile(-training_scores, 100 * float(self.contamination)))

    def _warn_of_constant(self, training_scores: Float[np.ndarray, " n"]) -> None:
        """Warn if all training rows have the same score."""
        if len(training_scores) > 1 and np.ptp(training_scores) == 0:
            warn(
                f"{type(self).__name__} gives all {len(training_scores)} training rows the same "
                f"score, {training_scores[0]:.4g}: check whether all rows are equal"
            )

    # -- input -----------------------------------------------------------------------------------

    def _check(self, X: Any, *, reset: bool) -> Table:
        """The table as a numeric array or CSR matrix; refuses NaN, infinity and other columns.

        With `reset`, the columns of the table are stored for later comparison.
        """
        check_columns(X)
        checked: Table = validate_data(
            self, X, reset=reset, accept_sparse="csr", ensure_all_finite=False
        )
        if is_sparse(checked) and not checked.has_canonical_format:
            checked = checked.copy()
            checked.sum_duplicates()
        if is_sparse(checked):
            checked = short_indices(checked)
        check_finite(checked, getattr(self, "feature_names_in_", None))
        return checked

    def _forget(self) -> None:
        """Become unfitted, so that a failing fit leaves no partly fitted detector."""
        for name in [n for n in vars(self) if n.endswith("_") and not n.startswith("_")]:
            delattr(self, name)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "offset_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    # -- saved models ----------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to one file, without pickle."""
        write_artifact(path, *self.state())

    @classmethod
    def load(cls, path: str | os.PathLike[str], **overrides: Any) -> Self:
        """The model saved at `path`; `device` and `verbose` may differ from when it was saved."""
        return cls.from_state(read_artifact(path), where=os.fspath(path), **overrides)

    def state(self) -> State:
        """The fitted model as JSON values and arrays."""
        check_is_fitted(self)
        fitted, arrays = self._fitted_state()
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            fitted = fitted | {"feature_names": [str(name) for name in names]}
        values = {
            "detector": type(self).__name__,
            "slad_version": __version__,
            "parameters": self._plain_parameters(),
            "fitted": fitted | {"offset": self.offset_, "n_features": self.n_features_in_},
        }
        return State(values, arrays)

    @classmethod
    def from_state(cls, state: State, *, where: str = "this state", **overrides: Any) -> Self:
        """The fitted model of a `state`.

        `where` names the state's source, a file for instance, in errors. `overrides` are
        parameters that replace the stored ones: `device` and `verbose`.
        """
        cls._check_overrides(overrides)
        values, arrays = state
        name = former.class_name(values.get("detector"), values.get("slad_version"))
        if name != cls.__name__:
            raise ArtifactError(f"{where} holds a {name}, not a {cls.__name__}; use slad.load")
        try:
            detector = cls(**(values["parameters"] | overrides))
            detector._check_parameters()
            fitted = values["fitted"]
            detector.n_features_in_ = fitted["n_features"]
            detector.offset_ = fitted["offset"]
            if "feature_names" in fitted:
                detector.feature_names_in_ = np.array(fitted["feature_names"], dtype=object)
            detector._set_fitted_state(State(fitted, arrays))
        except (KeyError, TypeError, RuntimeError) as error:
            raise ArtifactError(
                f"{where} was written by slad {values.get('slad_version')} and "
                f"does not fit this version ({type(error).__name__}: {error}): fit again"
            ) from error
        return detector

    @classmethod
    def _check_overrides(cls, overrides: dict[str, Any]) -> None:
        loadable = [name for name in LOADABLE if name in signature(cls).parameters]
        for name in overrides.keys() - set(loadable):
            raise ConfigError(
                f"{name} of a {cls.__name__} cannot change on loading; "
                f"parameters that can: {', '.join(loadable) or 'none'}"
            )

    def _plain_parameters(self) -> dict[str, Any]:
        """The constructor parameters as JSON values."""
        parameters = {}
        for name, value in self.get_params(deep=False).items():
            if isinstance(value, np.generic):
                value = value.item()
            plain = value is None or isinstance(value, str | int | float | bool)
            parameters[name] = value if plain else self._plain_parameter(name, value)
        return parameters

    def _plain_parameter(self, name: str, value: Any) -> Any:
        if name == "random_state":  # of a generator, only the seed drawn from it is known
            return self.seed_
        return str(value)  # a torch.device


def warn(message: str) -> None:
    warnings.warn(message, TrainingWarning, stacklevel=2)
