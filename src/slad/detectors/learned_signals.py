"""LearnedSignals, the default for tables: many signals of a row, weighed as other tables taught."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from slad.core.errors import ConfigError
from slad.core.names import unknown
from slad.core.seeds import RandomState, draw_seed
from slad.core.state import State
from slad.core.typing import Float, Table
from slad.detectors.base import Capability
from slad.detectors.parts.checks import check_number
from slad.detectors.parts.novelty_detector import NoveltyDetector
from slad.detectors.signals.looks import Looks
from slad.detectors.signals.weights import SEEKS, weights_of

ALIKE = 0.01
"""Scores that are closer than this are alike: a new row is beside one row more than a training row,
which leaves itself out."""


class LearnedSignals(NoveltyDetector):
    """Many signals of a row, weighed by a small network that learned on other tables.

    A row is seen in some eighty ways that need no label: its distances to near and far rows in
    four spaces and in subsets of the columns, its tails and gaps in single columns, rare values
    and rare pairs, residuals of each column given the others, the depth at which it is isolated.
    Each signal becomes a tail probability and a robust distance among the training rows' own
    values, which leave themselves out, so that it means the same in every table. What to make of
    them was learned once, on the labels of 867 public tables, and is shipped: labels of your table
    are never needed.

    The score never falls when a signal of strangeness rises. Ratios of signals, which do not
    change when a row moves away from all others by one factor, may count either way: many rows
    that are far while few are near mean something else than all rows far.

    docs/accuracy.md describes how the weights were learned, what they are worth, and where they
    lose. `card()` of `slad.detectors.signals.weights` is the weights' card.

    Parameters
    ----------
    clean : bool, default=True
        Whether the training rows are normal. If they may hold anomalies, which hide each other,
        other weights are used, and a second look leaves out the tenth of the rows that is
        strangest. `TableDetector` and `slad detect` say which it is.
    seeks : {"rows", "cells"}, default="rows"
        What is sought: rows that are odd as a whole, as failures and frauds are, or rows with a
        wrong cell, such as a slipped decimal point. One wild cell means much in the second case
        and little in the first. `TableDetector` and `slad detect` seek "cells" where a table has
        columns of words, dates or categories, or gaps, and "rows" where it has numbers alone.
    max_rows : int or None, default=4096
        Largest number of reference rows, drawn at random from the training rows. None uses all.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.
        Each training row is scored by the others.
    random_state : int, numpy generator or None, default=None
        Same seed: same scores. The global generators are not used.

    Attributes
    ----------
    training_scores_ : ndarray
        The score of each reference row by the others.
    seed_ : int
        The seed that was used; give it as `random_state` to repeat the fit.
    offset_ : float
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Examples
    --------
    >>> import numpy as np
    >>> from slad import LearnedSignals
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> odd = np.array([[9.0, -9.0, 9.0, -9.0]])
    >>> detector = LearnedSignals(random_state=0).fit(normal)
    >>> bool(detector.anomaly_score(odd)[0] > detector.training_scores_.max())
    True
    """

    capabilities: ClassVar[frozenset[Capability]] = frozenset({Capability.PARALLEL_SCORE})

    def __init__(
        self,
        *,
        clean: bool = True,
        seeks: str = "rows",
        max_rows: int | None = 4096,
        contamination: float | str = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.clean = clean
        self.seeks = seeks
        self.max_rows = max_rows
        self.contamination = contamination
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if not isinstance(self.clean, bool | np.bool_):
            raise ConfigError(
                f"clean={self.clean!r} is neither True nor False: say whether the training rows "
                "are normal"
            )
        if self.seeks not in SEEKS:
            raise unknown("kind of anomaly", self.seeks, SEEKS)
        check_number(self, "max_rows", 2, optional=True)

    def _learn(self, X: Table) -> None:
        self.seed_ = draw_seed(self.random_state)
        self._looks, own = Looks.fit(
            X,
            clean=bool(self.clean),
            max_rows=self.max_rows,
            seed=self.seed_,
        )
        self._use(f"{'clean' if self.clean else 'mixed'} {self.seeks}")
        self.training_scores_ = self._weights.scores(*own)

    def _use(self, kind: str) -> None:
        """Weights of a kind; parameters that are set later do not change a fitted detector."""
        self._kind, self._weights = kind, weights_of(kind)

    def _set_offset(self, training_scores: Float[np.ndarray, " n"]) -> None:
        super()._set_offset(training_scores)
        if self.contamination == "auto":  # where most rows are alike the fence has no width
            self.offset_ = min(self.offset_, -float(np.percentile(training_scores, 75)) - ALIKE)

    def _training_scores(self, X: Table) -> Float[np.ndarray, " n"]:
        return self.training_scores_

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        return self._looks.scores(X, self._weights.scores)

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        values, arrays = self._looks.state()
        return State(
            values | {"seed": self.seed_, "weights": self._kind},
            arrays | {"training_scores": self.training_scores_},
        )

    def _set_fitted_state(self, state: State) -> None:
        self.seed_ = state.values["seed"]
        self.training_scores_ = state.arrays["training_scores"]
        self._use(state.values["weights"])
        self._looks = Looks.from_state(state, self.seed_)
