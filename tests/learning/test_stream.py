"""Training in the order of a stream: shares of batches, long histories, and going on."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from points import Points, cloud, plan

from slad.core.errors import ConfigError
from slad.learning import FILL, Callback, EarlyStop, Share, Stream, StreamSchedule, history, train
from slad.learning.history import History


class Part(Share):
    def __init__(self, rank: int, world: int) -> None:
        self.rank, self.world = rank, world


@given(n_samples=st.integers(1, 60), batch_size=st.integers(1, 20), world=st.integers(1, 4))
def test_the_shares_of_all_processes_make_up_every_batch(n_samples, batch_size, world):
    if batch_size < world:
        with pytest.raises(ConfigError, match="need a row each"):
            StreamSchedule(n_samples, batch_size, Part(0, world))
        return
    schedules = [StreamSchedule(n_samples, batch_size, Part(rank, world)) for rank in range(world)]
    steps = schedules[0].steps_per_epoch
    taken = [schedule.take(2 * steps) for schedule in schedules]
    counts = sum((samples != FILL).sum(1) for samples, _ in taken)
    weights = sum(weight.sum(1) for _, weight in taken)
    assert counts.view(2, -1).sum(1).tolist() == [n_samples] * 2
    torch.testing.assert_close(weights, torch.ones(2 * steps))
    for schedule, (samples, weight) in zip(schedules, taken, strict=True):
        real = samples[samples != FILL]
        assert real.tolist() == list(range(2 * schedule.quota))
        assert torch.equal(weight > 0, samples != FILL)


class PointStream(Points):
    """Sample after sample, over and over; what fills a batch up is any point."""

    def load(self, member, start, samples) -> None:
        super().load(member, start, samples % len(self.points[member]))


class Stopped(Exception):
    pass


class StopAfter(Callback):
    """Keeps the state of every epoch, and breaks off."""

    each_epoch = True

    def __init__(self, epochs: int) -> None:
        self.epochs, self.state = epochs, None

    def keep(self, report) -> None:
        if max(map(len, report.losses)) == self.epochs:
            self.state = report.state()
            raise Stopped


@pytest.mark.parametrize("patience", [None, 2])
@pytest.mark.parametrize("epochs", [1, 3, 6])
def test_a_training_that_goes_on_ends_as_one_that_never_stopped(patience, epochs):
    def run(*more: Callback, resume=None):
        early = [] if patience is None else [EarlyStop(patience, 0.3)]
        return train(
            PointStream([cloud(50, 3.0), cloud(50, -1.0)], window=16),
            [plan(6), plan(6)],
            batch_size=8,
            callbacks=[*early, *more],
            stream=Stream(resume=resume),
        )

    whole, stop = run(), StopAfter(epochs)
    try:
        run(stop)
    except Stopped:
        resumed = run(resume=stop.state)
        for one, other in zip(whole, resumed, strict=True):
            assert torch.equal(one.weights, other.weights)
            assert one.losses == other.losses
            assert (one.began, one.ended, one.steps) == (other.began, other.ended, other.steps)
    else:
        assert patience is not None  # it had ended before


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
