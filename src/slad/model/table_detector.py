"""`TableDetector`: encode, fit, calibrate, score, decide and explain the rows of a table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError, ConfigError
from slad.core.seeds import RandomState, draw_seed
from slad.core.state import State
from slad.decisions import Calibration, Fold, Rule, make_rule
from slad.detectors import Detector
from slad.model import saving
from slad.model.conformed_table import ConformedTable, conformed, read_as
from slad.model.explanation import explain_rows
from slad.model.fitting import keep_normal_rows, plan_and_folds
from slad.model.fold_model import FoldModel, fit_fold_models
from slad.model.judgement import Judgement, decide
from slad.model.row_explanation import RowExplanation
from slad.model.scores import Scores, calibration_scores, held_out_scores, scores_of
from slad.model.validation import make_detector, tell_columns
from slad.tables import ColumnPlan, Loaded, read


class TableDetector(BaseEstimator):  # type: ignore[misc]
    """Anomaly detection for tables with numbers, categories, text, dates and gaps.

    `fit` encodes the rows and fits a detector, several times if the table is small, so that every
    p-value comes from rows that the detector did not see. `judge` gives each row of a table a
    score, a p-value and a decision by the rule that you choose; `explain` names the columns behind
    a score.

    Parameters
    ----------
    detector : str, default="auto"
        A name of `slad.detectors.names()`; "auto" is `slad.detectors.AUTO`.
    parameters : mapping or None, default=None
        Parameters of that detector.
    rule : {"fpr", "fdr", "top", "contamination"}, default="fpr"
        What flags a row: see docs/decisions.md.
    level : float, default=0.01
        The rate, number or fraction of the rule.
    reject : float or None, default=None
        Set aside rows whose decision is less certain than this, for example 0.9.
    calibration : {"auto", "cross", "split"}, default="auto"
        Whether every training row is held out once ("cross"), or one part of them ("split").
    own_rows : bool, default=False
        Whether `judge_own` will be used; then every training row is held out once.
    clean : bool, default=False
        Whether the training rows are known to be normal. If not, false-alarm rates are upper
        bounds, and the training rows themselves have no false-discovery rate.
    drop, keep, categories : sequences of column names
        Columns to leave out, to use although they look like ids, and to treat as categories
        although they hold numbers.
    id, label : str or None
        Columns that name a row, and that say whether it is an anomaly. Neither is learned from.
    device : str, default="auto"
    random_state : int, numpy generator or None, default=0
    verbose : bool, default=False
        Show training progress on stderr.

    Attributes
    ----------
    plan_ : the kind and type of each column
    calibration_ : the held-out scores that p-values are counted from
    profile_ : gaps, usual values and shape of each column
    notes_ : what a person should know about the training table
    fold_models_ : the encoder and detector of each fold

    Examples
    --------
    >>> import pyarrow as pa
    >>> from slad import TableDetector
    >>> prices = [(3 if n % 2 else 9) + n / 100 for n in range(100)]
    >>> orders = pa.table({"item": ["cup", "tea"] * 50, "price": prices})
    >>> model = TableDetector("knn-5", level=0.05).fit(orders)
    >>> model.predict(pa.table({"item": ["tea", "tea"], "price": [3.5, 9.5]})).tolist()
    [1, -1]
    """

    def __init__(
        self,
        detector: str = "auto",
        *,
        parameters: Mapping[str, Any] | None = None,
        rule: str = "fpr",
        level: float = 0.01,
        reject: float | None = None,
        calibration: str = "auto",
        own_rows: bool = False,
        clean: bool = False,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categories: Sequence[str] = (),
        id: str | None = None,
        label: str | None = None,
        device: str = "auto",
        random_state: RandomState = 0,
        verbose: bool = False,
    ) -> None:
        self.detector = detector
        self.parameters = parameters
        self.rule = rule
        self.level = level
        self.reject = reject
        self.calibration = calibration
        self.own_rows = own_rows
        self.clean = clean
        self.drop = drop
        self.keep = keep
        self.categories = categories
        self.id = id
        self.label = label
        self.device = device
        self.random_state = random_state
        self.verbose = verbose

    # -- fitting ---------------------------------------------------------------------------------

    def fit(self, table: Any, y: Any = None) -> Self:
        """Learn what is normal from a table: a file, a DataFrame, or the result of `read`."""
        first = self.begin()
        loaded = read(table)
        plan, folds = plan_and_folds(self, loaded, first)
        detectors = [first, *(make_detector(self, fold) for fold in range(1, len(folds)))]
        tell_columns(self, plan, loaded.frame, detectors)
        fitted = fit_fold_models(loaded.frame, plan, folds, detectors, verbose=self.verbose)
        self.adopt(loaded, plan, fitted, folds)
        return self

    def begin(self) -> Detector:
        """Forget an earlier fit, draw the seed, and make the detector of the first fold."""
        self._forget()
        self.make_rule()
        self.seed_ = draw_seed(self.random_state)
        return make_detector(self, 0)

    def adopt(
        self,
        loaded: Loaded,
        plan: tuple[ColumnPlan, ...],
        fold_models: list[FoldModel],
        folds: Sequence[Fold],
    ) -> None:
        """Become fitted: calibrate fold models, wherever they were trained, on held-out rows."""
        own = held_out_scores(loaded.frame, fold_models, folds, verbose=self.verbose)
        self.calibration_ = Calibration(
            calibration_scores(loaded.frame, fold_models, folds, own),
            clean=self.clean,
            kind="split" if len(folds) == 1 else "cross",
            folds=len(folds),
        )
        keep_normal_rows(self, loaded, plan, own)
        self.own_: Scores | None = own
        self.plan_, self.fold_models_ = plan, fold_models

    def _forget(self) -> None:
        """Become unfitted, so that a fit that fails leaves no half of a model behind."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def make_rule(self) -> Rule:
        """The rule that decides. `set_params` changes it, on a fitted model too."""
        if self.reject is not None and not 0.5 <= self.reject < 1:
            raise ConfigError(f"reject={self.reject!r} is not a certainty; use 0.5 to below 1")
        return make_rule(self.rule, self.level)

    # -- judging ---------------------------------------------------------------------------------

    def judge(self, table: Any) -> Judgement:
        """Score and decide every row of a table that the model was not fitted on."""
        scores = scores_of(self.conform(table).frame, self.fold_models_, verbose=self.verbose)
        return self._decide(scores, own=False)

    def judge_own(self) -> Judgement:
        """Score and decide the training rows, each by a fold model that did not see it."""
        return self._decide(self.own_scores(), own=True)

    def own_scores(self) -> Scores:
        """The held-out scores of the training rows. A saved model does not keep them."""
        check_is_fitted(self)
        if self.own_ is None or not np.isfinite(self.own_.scores).all():
            raise ConfigError(
                "this model cannot judge its training rows; fit with own_rows=True and judge them "
                "before saving"
            )
        return self.own_

    def _decide(self, scores: Scores, *, own: bool) -> Judgement:
        return decide(scores, self.calibration_, self.make_rule(), self.reject, own=own)

    def conform(self, table: Any) -> ConformedTable:
        """A table with the columns that the model knows, and notes on what differs.

        Wherever a table is expected, the result can be given instead; it is not conformed again.
        """
        check_is_fitted(self)
        return conformed(table, self.plan_)

    def read(self, table: Any) -> Loaded:
        """Read a table with the column types of the training table."""
        check_is_fitted(self)
        return read_as(table, self.plan_)

    def anomaly_score(self, table: Any) -> np.ndarray:
        """One score per row, higher = stranger. 0 is the median of the held-out rows, 1 their mean
        distance from it."""
        return self.judge(table).scores

    def predict_pvalue(self, table: Any) -> np.ndarray:
        """The fraction of normal rows that are at least as strange."""
        return self.judge(table).pvalues

    def predict(self, table: Any) -> np.ndarray:
        """-1 for rows that the rule flags, 1 for others."""
        return np.where(self.judge(table).flags, -1, 1)

    def score_samples(self, table: Any) -> np.ndarray:
        """The score with scikit-learn's sign: lower = stranger."""
        return -self.anomaly_score(table)

    def fit_predict(self, table: Any, y: Any = None) -> np.ndarray:
        """Fit, and decide on the training rows, each by a fold model that did not see it."""
        return np.where(self.fit(table).judge_own().flags, -1, 1)

    def history(self) -> dict[str, list[float]] | None:
        """The training loss of each epoch, mean over fold models; None if nothing is trained."""
        losses = [
            each.detector.history_["loss"]
            for each in self.fold_models_
            if hasattr(each.detector, "history_")
        ]
        if not losses:
            return None
        shortest = min(len(loss) for loss in losses)
        return {"loss": np.mean([loss[:shortest] for loss in losses], axis=0).tolist()}

    # -- explaining ------------------------------------------------------------------------------

    def explain(self, table: Any, rows: Sequence[int] | np.ndarray) -> list[RowExplanation]:
        """Why rows of a table that the model was not fitted on score as they do.

        `rows` are positions from 0, as in numpy and in `Judgement.order`.
        """
        return self._explain(table, rows, own=False)

    def explain_own(self, table: Any, rows: Sequence[int] | np.ndarray) -> list[RowExplanation]:
        """Why training rows score as they do, each by a fold model that did not see it.

        `table` is the training table, `rows` are positions in it from 0.
        """
        return self._explain(table, rows, own=True)

    def _explain(
        self, table: Any, rows: Sequence[int] | np.ndarray, *, own: bool
    ) -> list[RowExplanation]:
        frame = self.conform(table).frame
        return explain_rows(self, frame, np.asarray(rows, dtype=np.int64), own=own)

    # -- saved models ----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "fold_models_")

    @property
    def members_(self) -> list[FoldModel]:
        """Former name of `fold_models_`."""
        return self.fold_models_

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one file, without pickle. The file holds some training rows: see
        docs/explanations.md."""
        write_artifact(path, *self.state())

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, device: str | None = None) -> Self:
        """The model saved at `path`, on another device if one is given."""
        try:
            return cls.from_state(saving.on_device(read_artifact(path), device))
        except ArtifactError as error:
            where = os.fspath(path)
            raise error if where in str(error) else ArtifactError(f"{where}: {error}") from error

    def state(self) -> State:
        """What judging and explaining need, as JSON values and arrays."""
        check_is_fitted(self)
        return saving.state_of(self)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The fitted model of a state."""
        return saving.restored(cls, state)
