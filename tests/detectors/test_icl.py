from __future__ import annotations

import subprocess
import sys
from math import log

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import slad
from recipes import table
from slad.core.errors import ConfigError, ResourceError
from slad.detectors import ICL, fit_many
from slad.detectors.icl import window_length
from slad.detectors.parts import network_detector

SMALL = {"hidden_dim": 12, "representation_dim": 8, "epochs": 4, "device": "cpu"}


def test_the_ensemble_is_one_of_different_networks_on_columns_in_different_orders():
    X = table(150, 6)
    detector = ICL(**SMALL, random_state=0).fit(X)
    scores = detector.score_parts(X)
    assert scores.shape[1] == int(100 / (log(150) + 6)) + 1 == 10
    assert len({tuple(order.tolist()) for order in detector._scorer.constants["order"]}) == 10
    for order in detector._scorer.constants["order"]:
        assert sorted(order.tolist()) == list(range(6))
    assert np.abs(np.corrcoef(scores.T) - np.eye(10)).max() < 0.99
    np.testing.assert_allclose(detector.anomaly_score(X), scores.mean(axis=1))


def test_one_network_alone_and_all_of_deepod_s_see_the_columns_in_their_order():
    X = table(60, 6)
    alone = ICL(**SMALL, n_members=1, random_state=0).fit(X)
    deepod = ICL(**SMALL, n_members=2, variant="deepod", random_state=0).fit(X)
    assert "order" not in alone._scorer.constants
    assert "order" not in deepod._scorer.constants


@pytest.mark.parametrize(
    ("n_rows", "n_features", "count"), [(5000, 20, 4), (1839, 6, 8), (193, 274, 1), (1, 1, 101)]
)
def test_the_number_of_networks_falls_with_rows_and_features(n_rows, n_features, count):
    assert ICL()._member_count(n_rows, n_features) == count
    assert ICL(n_members=3)._member_count(n_rows, n_features) == 3


@pytest.mark.parametrize(
    ("n_features", "authors", "deepod"),
    [
        (3, 2, 2),
        (40, 2, 2),
        (41, 10, 10),
        (160, 10, 10),
        (161, 11, 11),
        (240, 90, 90),
        (241, 91, 41),
        (480, 330, 280),
        (481, 331, 81),
        (139351, 139201, 138951),
    ],
)
def test_windows_are_as_long_as_the_paper_and_deepod_say(n_features, authors, deepod):
    assert window_length(n_features, "authors") == authors
    assert window_length(n_features, "deepod") == deepod


def test_a_saved_model_draws_the_same_negatives_again(tmp_path):
    X = table(80, 14)
    detector = ICL(**SMALL, max_negatives=4, n_members=2, random_state=0).fit(X)
    scores = detector.anomaly_score(X)
    np.testing.assert_array_equal(detector.anomaly_score(X), scores)
    detector.save(tmp_path / "icl.slad")
    np.testing.assert_array_equal(slad.load(tmp_path / "icl.slad").anomaly_score(X), scores)


def test_a_window_of_any_length_below_the_table_s_can_be_asked_for():
    X = table(60, 6)
    for window in (1, 5):
        assert np.isfinite(ICL(**SMALL, window=window, n_members=1).fit(X).anomaly_score(X)).all()
    with pytest.raises(ConfigError, match=r"window=6 with 6 features: use fewer than 6"):
        ICL(**SMALL, window=6).fit(X)


def test_broken_dependencies_between_neighbouring_columns_are_found():
    rng = np.random.default_rng(0)
    cause = rng.uniform(-1, 1, size=(1000, 4))
    rows = np.stack([cause, np.sin(3 * cause)], 2).reshape(1000, 8)
    rows += rng.normal(size=rows.shape) / 50
    train, normal = rows[:500], rows[500:750]
    odd = rows[750:].copy()
    odd[:, 1::2] = rng.permuted(odd[:, 1::2], axis=0)  # every column as it was, alone
    detector = ICL(n_members=1, epochs=20, random_state=0, device="cpu").fit(train)
    scores = detector.anomaly_score(np.concatenate([normal, odd]))
    assert roc_auc_score(np.arange(500) >= 250, scores) > 0.8
    assert detector.history_["loss"][-1] < 0.5 * detector.history_["loss"][0]


def test_in_a_stack_it_gives_to_the_bit_what_it_gives_alone():
    tables = [table(150, 7), table(60, 7, seed=1)]
    jobs = [(X, {"random_state": seed, "n_members": 2}) for X in tables for seed in (0, 1)]
    for variant in ("authors", "deepod"):
        settings = SMALL | {"variant": variant}
        stack = [ICL(**settings | own) for _, own in jobs]
        fit_many(stack, [X for X, _ in jobs])
        for detector, (X, own) in zip(stack, jobs, strict=True):
            alone = ICL(**settings | own).fit(X)
            np.testing.assert_array_equal(detector.anomaly_score(X), alone.anomaly_score(X))
            assert detector.history_ == alone.history_


WIDE = """
import resource
import numpy as np
from scipy.sparse import random_array
from slad.detectors import ICL

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

X = random_array((60, 10_000), density=0.01, format="csr", rng=np.random.default_rng(0))
ICL(epochs=1, device="cpu", random_state=0).fit(X[:, :50])
before = peak()
detector = ICL(epochs=1, device="cpu", random_state=0).fit(X)
assert np.isfinite(detector.anomaly_score(X)).all()
print(peak() - before)
"""


def test_a_wide_sparse_table_takes_little_memory():
    # Its windows written out would be 60 rows x 151 windows x 9,850 cells, or 360 MB.
    run = subprocess.run([sys.executable, "-c", WIDE], check=True, capture_output=True, text=True)
    assert float(run.stdout) < 150


def test_what_cannot_fit_is_refused_beforehand(monkeypatch):
    monkeypatch.setattr(network_detector, "available_memory", lambda device: 2**20)
    with pytest.raises(ResourceError, match="ICL needs about"):
        ICL(**SMALL).fit(table(60, 50))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("variant", "paper"),
        ("window", 0),
        ("window", "wide"),
        ("temperature", 0.0),
        ("max_negatives", 0),
        ("n_members", 0),
        ("n_members", "many"),
        ("hidden_dim", 0),
    ],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=name):
        ICL(**{name: value}).fit(table(20, 3))
