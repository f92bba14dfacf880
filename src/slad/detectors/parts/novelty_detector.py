"""The base class of detectors that keep training rows and compare other rows with them."""

from __future__ import annotations

from typing import ClassVar, NoReturn

from slad.detectors.direct import DirectDetector


class NoveltyDetector(DirectDetector):
    """Base of detectors that score rows by their distances to reference rows.

    Every row is scored as a new row, so a training row finds itself at distance 0. Therefore the
    threshold comes from `training_scores_`, where every training row is scored by the others. Use
    these scores for the training rows, too. As in scikit-learn's LocalOutlierFactor(novelty=True)
    there is no `fit_predict`.
    """

    keeps_training_data = True
    novelty: ClassVar[bool] = True  # as scikit-learn calls this

    @property
    def fit_predict(self) -> NoReturn:
        """Not available: see the class."""
        raise AttributeError(
            f"{type(self).__name__} has no fit_predict, because a training row is its own nearest "
            "neighbour; compare training_scores_ with -offset_ instead"
        )
