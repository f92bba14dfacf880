"""What detectors that find a training row itself have in common.

A training row is its own nearest neighbour: thresholds come from the scores by the others.
"""

from __future__ import annotations

import numpy as np
import pytest

from recipes import MODELS, models_of_neighbours, table


@models_of_neighbours
@pytest.mark.parametrize("share", [0.0, 0.05, 0.25, 0.5])
def test_contamination_flags_that_share_of_the_rows_scored_by_the_others(model, share):
    detector = MODELS[model](contamination=share).fit(table(400, 5))
    flagged = detector.training_scores_ > -detector.offset_
    assert flagged.mean() == pytest.approx(share, abs=0.005)


@models_of_neighbours
def test_auto_contamination_is_tukey_s_fence_of_the_scores_by_the_others(model):
    detector = MODELS[model]().fit(table(400, 5))
    low, high = np.percentile(detector.training_scores_, [25, 75])
    assert -detector.offset_ == pytest.approx(high + 1.5 * (high - low))


@models_of_neighbours
def test_without_fit_predict_it_is_said_what_to_do_instead(model):
    with pytest.raises(AttributeError, match="training_scores_"):
        MODELS[model]().fit_predict(table(10, 2))


@models_of_neighbours
@pytest.mark.parametrize("share", [0.05, 0.25])
def test_about_that_share_of_new_rows_of_the_same_kind_is_flagged(model, share):
    rows = table(2400, 4)
    detector = MODELS[model](contamination=share).fit(rows[:400])
    # Scores in which training rows found themselves would flag twice as many.
    assert (detector.predict(rows[400:]) == -1).mean() == pytest.approx(share, abs=0.08)
