from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from recipes import MODELS, SMALL, SMALL_OTHERS, every_model, table, with_anomalies
from slad import SLAD
from slad.detectors import GAAL, Detector
from slad.detectors import make as make_detector
from slad.detectors.registry import RECIPES as DETECTOR_RECIPES

OWN = {
    "dif": {"n_estimators": 10, "n_representations": 2},
    "dte-c": {"epochs": 20, "hidden_dim": 32},
    "icl": {"n_members": 1},
    "icl-deepod": {"n_members": 1},
    # Fewer or faster steps leave no training row beyond the fence.
    "so-gaal": {"epochs": GAAL().epochs, "learning_rate": GAAL().learning_rate},
    "mo-gaal": {"epochs": GAAL().epochs, "learning_rate": GAAL().learning_rate},
}
OWN_NEIGHBOURS = {
    "check_outliers_train": "it wants `predict` to flag training rows, and the distance of "
    "each to its nearest training row is 0: as with LocalOutlierFactor(novelty=True), "
    "`predict` is for new rows, and training rows are judged by `training_scores_`"
}
KNOWN_FAILURES = {"knn-1": OWN_NEIGHBOURS, "learned-signals": OWN_NEIGHBOURS}
"""What scikit-learn's checks ask for against the documentation."""


def quick(recipe: str) -> Detector:
    """A detector of the registry, with as few trees, units and epochs as the checks allow."""
    known = make_detector(recipe).get_params().keys() - DETECTOR_RECIPES[recipe].fixed.keys()
    # Neighbours are as many as by default, and every check sets the seed it wants.
    wanted = SMALL | SMALL_OTHERS | {"epochs": 5} | OWN.get(recipe, {})
    left = {"n_neighbors", "max_rows", "n_views", "random_state"}
    return make_detector(recipe, **{k: v for k, v in wanted.items() if k in known - left})


QUICK = {recipe: quick(recipe) for recipe in DETECTOR_RECIPES}


def known_failures(estimator: Detector) -> dict[str, str]:
    recipe = next(name for name, detector in QUICK.items() if detector is estimator)
    return KNOWN_FAILURES.get(recipe, {})


# The checks fit on purpose what nobody should: constant rows, a handful of rows, no signal.
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@parametrize_with_checks(list(QUICK.values()), expected_failed_checks=known_failures)
def test_scikit_learn_s_own_checks_all_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", KNOWN_FAILURES)
def test_flagged_among_training_rows_by_the_others(name):
    """What the check that they fail is after, asked as the documentation says."""
    X, _ = make_blobs(n_samples=300, random_state=0)
    for contamination, flagged in (("auto", None), (0.1, 30)):
        detector = make_detector(name, contamination=contamination).fit(X)
        strange = detector.training_scores_ > -detector.offset_
        assert 0 < strange.sum() < 300
        assert flagged is None or strange.sum() == flagged


@every_model
def test_a_clone_has_the_parameters_and_none_of_the_fit(model):
    detector = MODELS[model]().fit(table(60, 4))
    copy = clone(detector)
    assert copy.get_params() == detector.get_params()
    assert not [name for name in vars(copy) if name.endswith("_") or name.startswith("_")]


def test_it_ends_a_pipeline():
    train, test, labels = with_anomalies(200, 6)
    pipeline = make_pipeline(StandardScaler(), SLAD(**SMALL | {"epochs": 20})).fit(train)
    assert roc_auc_score(labels, -pipeline.score_samples(test)) > 0.6
    assert set(pipeline.predict(test)) <= {-1, 1}


def test_a_grid_search_tunes_it_with_a_scorer():
    X, _, _ = with_anomalies(90, 4)

    def falling(detector, X, y=None):
        return detector.score_samples(X).mean()

    search = GridSearchCV(SLAD(**SMALL), {"epochs": [1, 20]}, scoring=falling, cv=2).fit(X)
    assert search.best_params_ == {"epochs": 20}
    assert search.best_estimator_.anomaly_score(X).shape == (90,)


def test_transform_can_answer_with_a_data_frame():
    X = pd.DataFrame(table(50, 3), columns=["a", "b", "c"], index=range(100, 150))
    detector = SLAD(**SMALL).set_output(transform="pandas").fit(X)
    scales = detector.transform(X)
    assert isinstance(scales, pd.DataFrame)
    assert list(scales.index) == list(X.index)
    assert list(scales.columns) == list(detector.get_feature_names_out())
    assert scales.shape == (50, 16)


def test_columns_in_another_order_or_by_another_name_are_refused():
    X = pd.DataFrame(table(50, 3), columns=["a", "b", "c"])
    detector = SLAD(**SMALL).fit(X)
    assert list(detector.feature_names_in_) == ["a", "b", "c"]
    with pytest.raises(ValueError, match="feature names"):
        detector.anomaly_score(X[["b", "a", "c"]])
    with pytest.raises(ValueError, match="feature names"):
        detector.anomaly_score(X[["a", "b"]])


def test_a_data_frame_and_its_array_get_the_same_scores():
    X = table(50, 3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    from_frame = SLAD(**SMALL).fit(frame).anomaly_score(frame)
    # A frame lies column by column in memory, and numpy sums that in another order.
    from_array = SLAD(**SMALL).fit(X).anomaly_score(X)
    np.testing.assert_allclose(from_frame, from_array, rtol=1e-3)
