from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from slad.core.errors import ConfigError
from slad.learning import FILL, Share, StreamSchedule
from slad.learning.schedule import BatchSchedule


def schedule(n_samples: int, batch_size: int, seed: int = 0) -> BatchSchedule:
    return BatchSchedule(n_samples, batch_size, torch.Generator().manual_seed(seed))


@given(st.integers(1, 40), st.integers(1, 15))
def test_every_epoch_visits_every_sample_once(n_samples, batch_size):
    stream = schedule(n_samples, batch_size)
    for _ in range(3):
        samples, weights = stream.take(stream.steps_per_epoch)
        assert samples.shape == weights.shape == (stream.steps_per_epoch, batch_size)
        assert sorted(samples[weights > 0].tolist()) == list(range(n_samples))


@given(st.integers(1, 40), st.integers(1, 15), st.integers(1, 30))
def test_the_weights_of_a_batch_are_equal_and_add_up_to_1(n_samples, batch_size, steps):
    _, weights = schedule(n_samples, batch_size).take(steps)
    torch.testing.assert_close(weights.sum(1), torch.ones(steps))
    for batch in weights:
        assert len(batch[batch > 0].unique()) == 1


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8))
def test_the_stream_is_the_same_however_it_is_cut(cuts):
    samples, weights = schedule(17, 4).take(sum(cuts))
    stream = schedule(17, 4)
    parts = [stream.take(cut) for cut in cuts]
    assert torch.equal(torch.cat([part[0] for part in parts]), samples)
    assert torch.equal(torch.cat([part[1] for part in parts]), weights)


def test_epochs_and_seeds_differ():
    stream = schedule(64, 64)
    first, second = stream.take(1)[0], stream.take(1)[0]
    assert not torch.equal(first, second)
    assert not torch.equal(first, schedule(64, 64, seed=1).take(1)[0])


@pytest.mark.parametrize(("n_samples", "expected"), [(1, 1), (128, 1), (129, 2)])
def test_an_epoch_has_as_many_steps_as_batches(n_samples, expected):
    assert schedule(n_samples, 128).steps_per_epoch == expected


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
