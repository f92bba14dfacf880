from __future__ import annotations

import math

import numpy as np

from slad.learning import history
from slad.learning.history import History


def test_a_long_history_keeps_means_and_few_numbers(monkeypatch):
    monkeypatch.setattr(history, "MOST_KEPT", 64)
    losses = np.random.default_rng(0).random(10_000)
    short, steps = History(500), 0
    while steps < len(losses):
        short.extend(losses[steps : steps + 37].tolist())
        steps += 37
    assert len(short._kept) + len(short._waiting) + len(short._current) < 500
    expected = losses.reshape(20, 500).mean(1)
    np.testing.assert_allclose(short.epochs, expected, rtol=1e-12)
    assert math.isclose(short.began, losses[:1000].mean(), rel_tol=0.02)
    assert math.isclose(short.ended, losses[-1000:].mean(), rel_tol=0.05)
    again = History.from_state(short.state(), steps_per_epoch=500)
    assert (again.epochs, again.began, again.steps) == (short.epochs, short.began, short.steps)
