from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from recipes import MODELS, SMALL, every_model, table, with_anomalies
from slad import SLAD
from slad.detectors import DETECTORS
from slad.detectors.parts.network_detector import NetworkDetector
from slad.detectors.stacking import StackDetector

QUICKER = {
    "DTECategorical": {"epochs": 50, "learning_rate": 1e-3},
    "DeepIsolationForest": {"n_representations": 10},
    "GOAD": {"n_transformations": 32, "epochs": 20},
    "ICL": {"n_members": 1, "epochs": 20},
    "NeuTraL": {"epochs": 20},
    "RCA": {"epochs": 20},
}
"""What takes minutes otherwise."""


# The checks fit on purpose what nobody should: constant rows, a handful of rows, no signal.
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@parametrize_with_checks(
    [
        SLAD(random_state=0, device="cpu"),
        SLAD.released(epochs=5, device="cpu"),
        SLAD.paper(epochs=2, device="cpu"),
        *(
            cls(**QUICKER.get(name, {}))
            for name, cls in DETECTORS.items()
            if not issubclass(cls, StackDetector)
        ),
        *(
            cls(device="cpu", **QUICKER.get(name, {}))
            for name, cls in DETECTORS.items()
            if issubclass(cls, NetworkDetector)
        ),
    ]
)
def test_scikit_learn_s_own_checks_all_pass(estimator, check):
    check(estimator)


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
