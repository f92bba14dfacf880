from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score

from recipes import MODELS, SMALL, make, table, trained_models, with_anomalies
from slad import SLAD, fit_many
from slad.core.errors import ConfigError, DataError
from slad.detectors import KNN, stacking
from slad.learning import Callback

TABLES = [with_anomalies(150, 5, seed=0), with_anomalies(320, 30, seed=1), with_anomalies(90, 70)]
SETTINGS = [
    {"random_state": 0},
    {"random_state": 1, "epochs": 8},
    {"random_state": 2, "learning_rate": 1e-3, "weight_decay": 1e-2},
    {"random_state": 3, "n_groups": 7, "magnification": 50.0, "n_members": 2},
    {"random_state": 4, "scaling": "minmax", "rescale_weights": True, "epochs": 1},
    {"random_state": 5, "maps": "linear_per_length", "row_sampling": "all", "epochs": 5},
]


class Count(Callback):
    """How many stacks were trained, and of how many members."""

    def __init__(self) -> None:
        self.stacks: list[int] = []

    def start(self, n_members):
        self.stacks.append(n_members)


def agree(together: SLAD, alone: SLAD, test: np.ndarray, labels: np.ndarray) -> None:
    ours, theirs = together.anomaly_score(test), alone.anomaly_score(test)
    np.testing.assert_allclose(ours, theirs, rtol=1e-3)
    assert roc_auc_score(labels, ours) == pytest.approx(roc_auc_score(labels, theirs), abs=1e-4)
    np.testing.assert_allclose(together.history_["loss"], alone.history_["loss"], rtol=1e-4)
    assert together.offset_ == pytest.approx(alone.offset_, rel=1e-3)


@pytest.mark.parametrize("sparse", [False, True])
def test_many_tables_seeds_and_settings_in_one_stack_give_what_each_gives_alone(sparse):
    jobs = [(settings, tables) for settings in SETTINGS for tables in TABLES]
    wrap = csr_array if sparse else np.asarray
    count = Count()
    detectors = [SLAD(**SMALL | settings) for settings, _ in jobs]
    fitted = fit_many(detectors, [wrap(train) for _, (train, _, _) in jobs], callbacks=[count])
    assert fitted == detectors
    assert count.stacks == [sum(settings.get("n_members", 1) for settings, _ in jobs)]
    for detector, (settings, (train, test, labels)) in zip(fitted, jobs, strict=True):
        agree(detector, SLAD(**SMALL | settings).fit(wrap(train)), test, labels)


@trained_models
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_every_network_scores_in_a_stack_as_it_does_alone(model):
    tables = [table(150, 5), table(90, 5, seed=1), table(150, 9, seed=2)]
    jobs = [({"random_state": seed}, X) for seed in (0, 1) for X in tables]
    jobs.append(({"random_state": 2, "epochs": 1, "learning_rate": 1e-3}, tables[0]))
    fitted = fit_many([make(model, **own) for own, _ in jobs], [X for _, X in jobs])
    for detector, (own, X) in zip(fitted, jobs, strict=True):
        alone = make(model, **own).fit(X)
        np.testing.assert_allclose(detector.anomaly_score(X), alone.anomaly_score(X), rtol=1e-3)
        assert detector.history_["loss"] == pytest.approx(alone.history_["loss"], rel=1e-4)


def test_members_that_stop_early_stop_where_they_would_alone():
    settings = SMALL | {"patience": 2, "learning_rate": 0.1, "epochs": 40}
    detectors = [SLAD(**settings | {"random_state": seed}) for seed in range(4)]
    train, test, labels = TABLES[0]
    fit_many(detectors, [train] * 4)
    lengths = [len(detector.history_["loss"]) for detector in detectors]
    assert min(lengths) < 40
    for seed, detector in enumerate(detectors):
        alone = SLAD(**settings | {"random_state": seed}).fit(train)
        assert len(alone.history_["loss"]) == lengths[seed]
        agree(detector, alone, test, labels)


def test_what_cannot_be_one_stack_becomes_several():
    kinds = [
        {},
        {"hidden_dim": 20},
        {"loss": "released"},
        {"batch_size": 64},
        {"group_size": 5},
        {"representation_dim": 8},
        {"bias": False},
        {"patience": 3},
    ]
    train, test, labels = TABLES[0]
    count = Count()
    fitted = fit_many(
        [SLAD(**SMALL | kind) for kind in kinds for _ in range(2)],
        [train] * 16,
        callbacks=[count],
    )
    assert count.stacks == [2] * 8
    for detector, kind in zip(fitted[::2], kinds, strict=True):
        agree(detector, SLAD(**SMALL | kind).fit(train), test, labels)


def test_all_recipes_can_be_fitted_in_one_call():
    train, test, labels = TABLES[0]
    recipes = [new for new in MODELS.values() if isinstance(new(), stacking.StackDetector)]
    fitted = fit_many([new() for new in recipes], [train] * len(recipes))
    for detector, new in zip(fitted, recipes, strict=True):
        agree(detector, new().fit(train), test, labels)


def test_a_detector_without_networks_is_refused_by_name():
    with pytest.raises(ConfigError, match=r"KNN.*call its fit"):
        fit_many([SLAD(**SMALL), KNN()], [table(30, 3)] * 2)


def test_nothing_to_fit_is_fine():
    assert fit_many([], []) == []


def test_each_detector_needs_its_own_table():
    with pytest.raises(ConfigError, match=r"len\(detectors\)=2 but len\(tables\)=1"):
        fit_many([SLAD(), SLAD()], [TABLES[0][0]])


def test_one_detector_cannot_learn_two_tables():
    detector = SLAD()
    with pytest.raises(ConfigError, match="twice"):
        fit_many([detector, detector], [TABLES[0][0], TABLES[1][0]])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_bad_table_or_parameter_anywhere_stops_before_any_training(place, monkeypatch):
    def forbidden(*args, **options):
        raise AssertionError("training began")

    monkeypatch.setattr(stacking, "train", forbidden)
    tables = [train.copy() for train, _, _ in TABLES]
    tables[place][0, 0] = np.nan
    with pytest.raises(DataError, match="column 0 has 1 NaN"):
        fit_many([SLAD(**SMALL) for _ in tables], tables)
    detectors = [SLAD(**SMALL) for _ in tables]
    detectors[place].set_params(epochs=0)
    with pytest.raises(ConfigError, match="epochs=0"):
        fit_many(detectors, [train for train, _, _ in TABLES])
