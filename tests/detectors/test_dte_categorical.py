from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score

from recipes import table, with_anomalies
from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import DTECategorical, fit_many
from slad.detectors.dte_categorical import noise_variances
from slad.learning import Batch, split

SMALL = {"hidden_dim": 10, "epochs": 5, "learning_rate": 1e-3, "device": "cpu"}


def parts(n_features: int = 4, rows: int = 8, **settings):
    """A method, the weights and constants of two members, and a batch of theirs."""
    method = DTECategorical(**SMALL | settings)._method(100, n_features)
    flat = torch.stack([method.flat(Streams(seed)) for seed in (0, 1)])
    generator = torch.Generator().manual_seed(2)
    drawn = [method.draw(generator, rows) for _ in range(2)]
    draws = {name: torch.stack([each[name] for each in drawn]) for name in drawn[0]}
    fixed = method.fixed(Streams(0), torch.device("cpu"))
    weight = torch.full((2, rows), 1 / rows)
    batch = Batch(
        torch.randn(2, rows, n_features, generator=generator),
        weight,
        draws,
        torch.tensor(0),
        torch.tensor([1, 1]),
        torch.ones(2),
    )
    constants = {name: part.expand(2, -1) for name, part in fixed.items()}
    return method, split(flat, method.shapes), constants, batch


def slow_logits(weights, member, row, kept=None):
    """One row, layer by layer; dropout after the second and the third layer."""
    for layer in range(4):
        row = (
            row @ weights[f"network.{layer}"][member] + weights[f"network.{layer}.bias"][member, 0]
        )
        if layer < 3:
            row = row.clamp(min=0)
        if kept is not None and layer in (1, 2):
            row = row * kept[:20] if layer == 1 else row * kept[20:]
    return row


@pytest.mark.parametrize("loss", ["cross_entropy", "released"])
def test_the_loss_is_the_cross_entropy_of_the_bin_of_the_time(loss):
    method, weights, constants, batch = parts(loss=loss, n_steps=10, n_bins=3)
    losses = method.losses(weights, constants, batch)
    variance = noise_variances(10)
    for member in range(2):
        for place in range(8):
            time = int(batch.draws["time"][member, place])
            noise = variance[time].sqrt() * batch.draws["noise"][member, place]
            kept = batch.draws["kept"][member, place]
            row = batch.rows[member, place] + noise
            likely = slow_logits(weights, member, row, kept).softmax(0)
            if loss == "released":
                likely = likely.softmax(0)
            expected = -likely[int(time / 10 * 3)].log()
            torch.testing.assert_close(losses[member, place], expected)


def test_the_noise_grows_as_the_schedule_says():
    betas, left, expected = np.linspace(1e-4, 1e-2, 400), 1.0, []
    for beta in betas:
        left *= 1 - beta
        expected.append(1 - left)
    np.testing.assert_allclose(noise_variances(400), expected, rtol=1e-5)
    assert expected[-1] == pytest.approx(0.87, abs=0.005)


def test_times_are_spread_evenly_and_every_bin_holds_as_many_steps():
    method = DTECategorical(n_steps=21, n_bins=7, hidden_dim=4)._method(100, 3)
    drawn = method.draw(torch.Generator().manual_seed(0), 21_000)
    counts = torch.bincount(drawn["time"])
    assert len(counts) == 21
    assert counts.min() > 850
    assert counts.max() < 1150
    assert drawn["noise"].std().item() == pytest.approx(1, abs=0.02)
    assert torch.bincount(torch.arange(21) * 7 // 21).tolist() == [3] * 7
    assert set(drawn["kept"].unique().tolist()) == {0.0, 2.0}


def test_rows_do_not_touch_each_other_s_losses():
    method, weights, constants, batch = parts()
    before = method.losses(weights, constants, batch)
    batch.rows[:, 5:] = 100.0
    after = method.losses(weights, constants, batch)
    torch.testing.assert_close(after[:, :5], before[:, :5], rtol=1e-6, atol=1e-6)


def test_a_score_is_the_expected_bin_of_the_row_as_it_is_without_dropout():
    X = table(100, 4)
    detector = DTECategorical(**SMALL, random_state=0, n_bins=5).fit(X)
    rows = detector._scaler.cells(X)
    expected = [
        sum(number * p for number, p in enumerate(slow_logits(w, 0, row).softmax(0).tolist()))
        for w, row in ((detector._scorer.weights, row) for row in rows)
    ]
    np.testing.assert_allclose(detector.anomaly_score(X), expected, rtol=1e-5)


def test_the_farther_out_the_stranger():
    X = np.random.default_rng(0).normal(size=(400, 3))
    detector = DTECategorical(epochs=40, learning_rate=1e-3, random_state=0, device="cpu").fit(X)
    scores = detector.anomaly_score(np.linspace(0, 6, 5)[:, None] * np.ones(3))
    assert (np.diff(scores) > 0).all()
    assert 4 < scores[-1] <= 6


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@pytest.mark.parametrize("wrap", [np.asarray, csr_array])
def test_a_stack_gives_to_the_bit_what_each_gives_alone(wrap):
    jobs = [(seed, wrap(table(rows, 6, seed=rows))) for seed in (0, 1) for rows in (150, 333)]

    def new(seed):
        return DTECategorical(**SMALL, random_state=seed, n_members=2)

    stack = fit_many([new(seed) for seed, _ in jobs], [X for _, X in jobs])
    for detector, (seed, X) in zip(stack, jobs, strict=True):
        alone = new(seed).fit(X)
        np.testing.assert_array_equal(detector.score_parts(X), alone.score_parts(X))
        assert detector.history_ == alone.history_


@pytest.mark.parametrize("loss", ["cross_entropy", "released"])
def test_broken_correlations_are_found(loss):
    train, test, labels = with_anomalies(600, 8)
    settings = {"epochs": 60, "learning_rate": 1e-3, "random_state": 0, "device": "cpu"}
    detector = DTECategorical(loss=loss, **settings).fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.8


def test_rows_are_told_from_the_same_rows_with_noise():
    X = table(1500, 5)
    detector = DTECategorical(epochs=40, learning_rate=1e-3, random_state=0, device="cpu").fit(
        X[:1000]
    )
    noise = np.random.default_rng(0).normal(size=(500, 5)) * X.std(axis=0)
    levels = [detector.anomaly_score(X[1000:] + size * noise).mean() for size in (0, 0.3, 0.6, 0.9)]
    assert (np.diff(levels) > 0.3).all()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_bins", 1),
        ("n_steps", 6),
        ("hidden_dim", 0),
        ("dropout", 1.0),
        ("loss", "mean_squares"),
    ],
)
def test_what_cannot_be_is_refused_by_name(name, value):
    with pytest.raises(ConfigError, match=name):
        DTECategorical(**{name: value}).fit(table(20, 3))
