"""From a table to decisions: encode, fit, calibrate, score, decide, explain."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ConfigError, DataError
from slad.core.seeds import RandomState, draw_seed
from slad.decisions import Calibration, Fold, Rule, make_folds, make_rule, unsure_rows
from slad.detectors import Detector
from slad.explain import draw_reference, usual_values
from slad.explain.reference import ORDINARY
from slad.model import saving
from slad.model.asked import check_reject, make_detector, not_learned
from slad.model.explanation import RowExplanation, explain_rows
from slad.model.judgement import Judgement
from slad.model.member import Member, fit_members
from slad.model.profile import profile
from slad.model.scores import Scores, calibrating_scores, held_scores, scores_of
from slad.tables import ColumnPlan, Loaded, conform, plan_columns, read, types_of

LEAST_ROWS = 10
"""Fewer rows than this leave nothing to hold out."""


class TableDetector(BaseEstimator):  # type: ignore[misc]
    """Anomaly detection for a table as it comes: text, dates, gaps and all.

    Fits a detector on encoded rows, several times if the table is small, so that every score is
    calibrated on rows that the detector had not seen. Then gives each row of a table a score, a
    p-value, a decision by a rule that you choose, and the columns that explain it.

    Parameters
    ----------
    detector : str, default="auto"
        A name of `slad.detectors.names()`; "auto" takes `slad.detectors.AUTO`.
    parameters : mapping or None, default=None
        Parameters of that detector.
    rule : {"fpr", "fdr", "top", "contamination"}, default="fpr"
        What makes a row strange: see docs/decisions.md.
    level : float, default=0.01
        The rate, number or share that the rule is about.
    reject : float or None, default=None
        Set aside rows whose decision is less sure than this, say 0.9.
    calibration : {"auto", "cross", "split"}, default="auto"
    own_rows : bool, default=False
        Whether `judge_own` will be asked for: then every row is held out once.
    clean : bool, default=False
        Whether the training rows are known to be normal. Without that, false-alarm rates are
        upper bounds, and false-discovery rates cannot be had of the training rows themselves.
    drop, keep, categories : sequences of column names
        Columns to leave out, to use although they look like ids, to take as categories although
        they hold numbers.
    id, label : str or None
        Columns that name a row, or say whether it is an anomaly. Neither is ever learned from.
    device : str, default="auto"
    random_state : int, numpy generator or None, default=0
    verbose : bool, default=False
        Show training progress on stderr.

    Attributes
    ----------
    plan_ : what was made of each column
    calibration_ : the held-out scores that p-values count
    profile_ : gaps, usual values and shape of each column
    notes_ : what a person should know about the table

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
        """Learn what is normal from a table: a file, a DataFrame, or what `read` gave."""
        prototype = self.begin()
        loaded = read(table)
        frame = loaded.frame
        if frame.num_rows < LEAST_ROWS:
            raise DataError(
                f"{loaded.name} has {frame.num_rows} rows; {LEAST_ROWS} are the least to learn from"
            )
        plan = plan_columns(
            frame, drop=not_learned(self, frame), keep=self.keep, categories=self.categories
        )
        if not any(column.used for column in plan):
            raise DataError(
                f"{loaded.name} has no column to learn from: "
                + "; ".join(f"{column.name!r} {column.note}" for column in plan[:10])
            )
        folds = make_folds(
            frame.num_rows, calibration=self.calibration, own_rows=self.own_rows, seed=self.seed_
        )
        held = sum(len(fold.held) for fold in folds)
        self.make_rule().check(held, own_rows=self.own_rows)
        check_reject(self, prototype, judges=1 if self.own_rows else len(folds))
        others = (make_detector(self, number) for number in range(1, len(folds)))
        self.adopt(loaded, plan, fit_members(frame, plan, folds, [prototype, *others]), folds)
        return self

    def begin(self) -> Detector:
        """Forget an earlier fit, settle the seed, and make the detector of the first fold."""
        self._forget()
        self.make_rule()
        self.seed_ = draw_seed(self.random_state)
        return make_detector(self, 0)

    def adopt(
        self,
        loaded: Loaded,
        plan: tuple[ColumnPlan, ...],
        members: list[Member],
        folds: Sequence[Fold],
    ) -> None:
        """Become fitted: calibrate members, wherever they were trained, on the held-out rows."""
        frame = loaded.frame
        own = held_scores(frame, members, folds)
        self.calibration_ = Calibration(
            calibrating_scores(frame, members, folds, own),
            clean=self.clean,
            kind="split" if len(folds) == 1 else "cross",
            folds=len(folds),
        )
        self._keep(loaded, plan, members, own)

    def _keep(
        self, loaded: Loaded, plan: tuple[ColumnPlan, ...], members: list[Member], own: Scores
    ) -> None:
        """What judging and explaining need."""
        held = np.flatnonzero(np.isfinite(own.scores))
        share = 1.0 if self.clean else ORDINARY
        ordinary = held[own.scores[held] <= np.quantile(own.scores[held], share)]
        self.normal_places_ = held[draw_reference(own.scores[held], share=share, seed=self.seed_)]
        used = [column for column in plan if column.used]
        self.normal_ = loaded.frame.select([c.name for c in used]).take(self.normal_places_)
        self.usuals_ = {
            c.name: usual_values(loaded.frame.column(c.name), c.kind, ordinary) for c in used
        }
        self.profile_ = profile(loaded.frame, plan, self.usuals_)
        self.notes_ = [str(note) for note in loaded.notes]
        self.training_ = describe(loaded)
        self.own_: Scores | None = own
        self.plan_, self.members_ = plan, members

    def _forget(self) -> None:
        """Back to unfitted: a fit that fails leaves no half of a model behind."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)

    def make_rule(self) -> Rule:
        """The rule that decides; it can be another one on a fitted model (`set_params`)."""
        if self.reject is not None and not 0.5 <= self.reject < 1:
            raise ConfigError(f"reject={self.reject!r}: give a confidence from 0.5 to below 1")
        return make_rule(self.rule, self.level)

    # -- judging ---------------------------------------------------------------------------------

    def judge(self, table: Any) -> Judgement:
        """Score and decide every row of a table that the model has not seen."""
        check_is_fitted(self)
        frame, _ = self.conform(table)
        scores = scores_of(frame, self.members_)
        return self._decide(scores, self.calibration_.pvalues(scores.scores), own=False)

    def judge_own(self) -> Judgement:
        """The same for the training rows, each scored by a member that had not seen it."""
        own = self.own_scores()
        return self._decide(own, self.calibration_.own_pvalues(own.scores), own=True)

    def own_scores(self) -> Scores:
        """Scores of the training rows, which a saved model does not keep."""
        check_is_fitted(self)
        if self.own_ is None or not np.isfinite(self.own_.scores).all():
            raise ConfigError(
                "this model cannot judge its own rows: fit it with own_rows=True, and ask before "
                "it is saved"
            )
        return self.own_

    def _decide(self, scores: Scores, pvalues: np.ndarray, *, own: bool) -> Judgement:
        rule = self.make_rule()
        flags = rule.flags(scores.scores, pvalues, self.calibration_)
        threshold = rule.threshold(scores.scores, pvalues, self.calibration_)
        unsure = np.zeros(len(flags), dtype=bool)
        if self.reject is not None:
            unsure = unsure_rows(scores.scores, scores.errors, threshold, self.reject)
        return Judgement(
            scores.scores, scores.errors, pvalues, flags & ~unsure, unsure, threshold, own
        )

    def conform(self, table: Any) -> tuple[pa.Table, list[str]]:
        """A table with the columns that the model knows, and notes on what differs."""
        loaded = self.read(table)
        frame, notes = conform(loaded.frame, self.plan_)
        return frame, [str(note) for note in (*loaded.notes, *notes)]

    def read(self, table: Any) -> Loaded:
        """A table read with the types that the model knows its columns by."""
        check_is_fitted(self)
        return read(table, types=types_of(self.plan_))

    def anomaly_score(self, table: Any) -> np.ndarray:
        """One score a row, higher = stranger; 0 is the middle of the held-out rows, in units of
        their usual distance from it."""
        return self.judge(table).scores

    def predict_pvalue(self, table: Any) -> np.ndarray:
        """The share of normal rows that are at least as strange."""
        return self.judge(table).pvalues

    def predict(self, table: Any) -> np.ndarray:
        """-1 for rows that the rule flags, 1 for others."""
        return np.where(self.judge(table).flags, -1, 1)

    def score_samples(self, table: Any) -> np.ndarray:
        """scikit-learn's sign: lower = stranger."""
        return -self.anomaly_score(table)

    def fit_predict(self, table: Any, y: Any = None) -> np.ndarray:
        """Fit, and decide on the training rows, each by a member that had not seen it."""
        return np.where(self.fit(table).judge_own().flags, -1, 1)

    def history(self) -> dict[str, list[float]] | None:
        """The training loss of each epoch, mean over members; None where nothing is trained."""
        losses = [
            member.detector.history_["loss"]
            for member in self.members_
            if hasattr(member.detector, "history_")
        ]
        if not losses:
            return None
        shortest = min(len(loss) for loss in losses)
        return {"loss": np.mean([loss[:shortest] for loss in losses], axis=0).tolist()}

    # -- why -------------------------------------------------------------------------------------

    def explain(self, table: Any, rows: Sequence[int] | np.ndarray) -> list[RowExplanation]:
        """Why these rows of a table that the model has not seen score as they do."""
        frame, _ = self.conform(table)
        return explain_rows(self, frame, np.asarray(rows, dtype=np.int64), own=False)

    def explain_own(self, table: Any, rows: Sequence[int] | np.ndarray) -> list[RowExplanation]:
        """The same for training rows, each by a member that had not seen it."""
        frame, _ = self.conform(table)
        return explain_rows(self, frame, np.asarray(rows, dtype=np.int64), own=True)

    # -- saved models ----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "members_")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one file, without pickle. It holds some training rows: see
        docs/explanations.md."""
        check_is_fitted(self)
        write_artifact(path, *saving.to_plain(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, device: str | None = None) -> Self:
        """The model saved at `path`, on another device if one is given."""
        return saving.from_plain(cls, *read_artifact(path), os.fspath(path), device)


def describe(loaded: Loaded) -> dict[str, Any]:
    """What a table is called, and its fingerprint."""
    return {
        "name": loaded.name,
        "sha256": loaded.sha256,
        "rows": loaded.frame.num_rows,
        "columns": loaded.frame.num_columns,
    }
