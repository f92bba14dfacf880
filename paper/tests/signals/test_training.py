"""The network learns to rank rows; its members are joined; every source counts once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from made_up_tasks import SMALL, TELLS, made_up_task
from slad.core.errors import ConfigError
from slad.detectors.signals.profile import Extremes
from slad.detectors.signals.weights import PARTS, Weights
from slad_paper.runner.metrics import auc_roc
from slad_paper.signals import training
from slad_paper.signals.table_inputs import Task
from slad_paper.signals.training import Settings, joined_members, learned, split_sizes

LONGER = Settings(hidden=8, members=2, steps=80, rate=0.02, tables=8, anomalies=8, normal=24)
MONOTONE, FREE = Extremes.sizes()


def hidden_in_noise(name: str, case: str = "clean") -> Task:
    """Anomalies differ in one signal of strangeness and in one contrast, where they are low."""
    task = made_up_task(name, name, case, rows=200, odd=20)
    inputs = task.inputs.copy()
    inputs[:, -1] -= 4 * task.labels
    return replace(task, inputs=inputs)


def scores_of(weights: Weights, inputs: np.ndarray) -> np.ndarray:
    at = len(weights.skip)
    return weights.scores(inputs[:, :at], inputs[:, at:])


def members_of(hidden: int, count: int, inputs: int) -> list[training._Member]:
    """With weights of either sign everywhere, as training may leave them."""
    rng = np.random.default_rng(0)
    members = [training._Member(*split_sizes(inputs), hidden, rng) for _ in range(count)]
    for member in members:
        for each in member.parameters().values():
            each.data += torch.from_numpy(rng.normal(size=each.shape) * 0.3).float()
    return members


# -- learning ------------------------------------------------------------------------------------


def test_what_is_learned_ranks_anomalies_of_tables_that_were_not_seen_on_top():
    weights = learned([hidden_in_noise(name) for name in "abcdef"], LONGER, seed=0)
    for name in "xyz":
        task = hidden_in_noise(name)
        mean = task.inputs[:, :MONOTONE].astype(float).mean(axis=1)
        assert auc_roc(task.labels, mean) < 0.8
        assert auc_roc(task.labels, scores_of(weights, task.inputs)) > 0.97


def test_what_tells_anomalies_weighs_most_and_a_contrast_may_count_downwards():
    weights = learned([hidden_in_noise(name) for name in "abcdef"], LONGER, seed=0)
    zero = np.zeros((1, MONOTONE + FREE))
    slopes = scores_of(weights, zero + np.eye(MONOTONE + FREE)) - scores_of(weights, zero)
    assert slopes[:MONOTONE].argmax() == TELLS
    assert slopes[MONOTONE:].argmin() == FREE - 1
    assert slopes[-1] < 0


def test_one_seed_gives_the_same_weights_and_another_others():
    tasks = [made_up_task(name, name) for name in "ab"]
    first, again, other = (learned(tasks, SMALL, seed) for seed in (0, 0, 1))
    for part in PARTS:
        assert getattr(first, part).tobytes() == getattr(again, part).tobytes()
        assert getattr(first, part).tobytes() != getattr(other, part).tobytes()


def test_one_look_and_two_give_networks_of_their_sizes():
    for case, looks in (("clean", 1), ("mixed", 2)):
        weights = learned([made_up_task(case=case)], SMALL, seed=0)
        assert weights.monotone.shape == (looks * MONOTONE, SMALL.hidden * SMALL.members)
        assert weights.free.shape == (looks * FREE, SMALL.hidden * SMALL.members)
        assert {getattr(weights, part).dtype for part in PARTS} == {np.dtype(np.float32)}


# -- the joined network --------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "count"), [("clean", 1), ("clean", 3), ("mixed", 3)])
def test_joined_members_give_the_mean_of_their_scores(case, count):
    inputs = made_up_task(case=case).inputs.astype(np.float32) * 2
    members = members_of(8, count, inputs.shape[1])
    with torch.no_grad():
        each = [member(torch.from_numpy(inputs)).double().numpy() for member in members]
    if count > 1:
        assert np.ptp(each, axis=0).min() > 1e-3
    joined = scores_of(joined_members(members, 8), inputs)
    np.testing.assert_allclose(joined, np.mean(each, axis=0), rtol=1e-5, atol=1e-5)


def test_members_differ_and_are_those_that_were_learned():
    tasks = [made_up_task(name, name) for name in "ab"]
    members = [training._Member.trained(tasks, SMALL, 0, at) for at in (0, 1)]
    assert not torch.equal(members[0].bias, members[1].bias)
    joined, found = joined_members(members, SMALL.hidden), learned(tasks, SMALL, seed=0)
    for part in PARTS:
        np.testing.assert_array_equal(getattr(found, part), getattr(joined, part))


def test_no_score_falls_when_a_signal_rises_whatever_was_learned():
    inputs = made_up_task().inputs.astype(float)
    members = members_of(8, 2, inputs.shape[1])
    assert any((member.skip < 0).any() for member in members)
    weights = joined_members(members, 8)
    before = scores_of(weights, inputs)
    for at in range(0, MONOTONE, 5):
        assert (scores_of(weights, inputs + np.eye(MONOTONE + FREE)[at]) >= before - 1e-9).all()
    free = [scores_of(weights, inputs + np.eye(MONOTONE + FREE)[-at]) for at in range(1, FREE)]
    assert (np.array(free) < before - 1e-3).any()


# -- the loss ------------------------------------------------------------------------------------


def test_the_loss_falls_when_anomalies_rise_and_compares_no_tables():
    odd, normal = torch.tensor([[1.0, 0.5], [0.3, 2.0]]), torch.tensor([[0.0, 1.2], [0.4, -1.0]])
    loss = training._loss(odd, normal)
    assert training._loss(odd + 1, normal) < loss < training._loss(odd - 1, normal)
    shift = torch.tensor([[100.0], [-30.0]])
    torch.testing.assert_close(training._loss(odd + shift, normal + shift), loss)


def test_the_highest_normal_row_weighs_more_than_its_pairs():
    odd, normal = torch.zeros(1, 1), torch.tensor([[3.0, 0.0]], requires_grad=True)
    training._loss(odd, normal).backward()
    highest, other = normal.grad[0]
    of_pairs = torch.sigmoid(normal.detach())[0]
    assert highest / other > 1.2 * of_pairs[0] / of_pairs[1]


# -- batches -------------------------------------------------------------------------------------


def numbered(at: int, group: str, case: str = "clean", odd: int = 6) -> Task:
    """Its normal rows hold its number from 1 up everywhere, its anomalies minus that."""
    task = made_up_task(str(at), group, case, odd=odd)
    sign = np.where(task.labels == 1, -1, 1)[:, None]
    return replace(task, inputs=np.ones_like(task.inputs) * sign * at)


def batch(tasks: list[Task], **changed) -> np.ndarray:
    settings = replace(SMALL, **({"tables": 1000, "dropout": 0.0} | changed))
    return training._Sampler(tasks, settings, np.random.default_rng(0)).batch().numpy()


def test_every_source_counts_once_however_many_tables_it_has():
    tasks = [numbered(at, "many") for at in range(1, 10)] + [numbered(10, "one")]
    drawn = np.abs(batch(tasks, anomalies=1, normal=1)[:, 0, 0])
    share = np.bincount(drawn.astype(int), minlength=11)[1:] / len(drawn)
    assert share[-1] == pytest.approx(1 / 2, abs=0.05)
    np.testing.assert_allclose(share[:-1], 1 / 18, atol=0.03)


@pytest.mark.parametrize(("planted", "count"), [(0.0, 0), (0.5, 4), (0.75, 6)])
def test_so_many_tables_of_a_step_have_planted_errors(planted, count):
    tasks = [numbered(1, "a"), numbered(2, "a", "planted clean"), numbered(3, "b")]
    drawn = np.abs(batch(tasks, planted=planted, tables=8)[:, 0, 0])
    assert (drawn == 2).sum() == count


def test_weights_that_seek_rows_have_full_steps_without_planted_errors():
    assert len(batch([numbered(1, "a"), numbered(2, "b")], tables=8)) == 8


@pytest.mark.parametrize("odd", [1, 6])
def test_rows_of_a_table_come_anomalies_first(odd):
    rows = batch([numbered(5, "a", odd=odd)], tables=3)
    assert rows.shape[:2] == (3, SMALL.anomalies + SMALL.normal)
    assert (rows[:, : SMALL.anomalies] == -5).all()
    assert (rows[:, SMALL.anomalies :] == 5).all()


def test_rows_repeat_only_where_there_are_too_few():
    task = made_up_task(rows=60, odd=6)
    for anomalies, repeated in ((6, False), (7, True)):
        for table in batch([task], anomalies=anomalies, normal=54, tables=5):
            assert (len(np.unique(table[:anomalies], axis=0)) < anomalies) == repeated
            assert len(np.unique(table[anomalies:], axis=0)) == 54


def test_dropped_inputs_are_those_of_all_rows_of_a_table():
    found = batch([numbered(1, "a")], dropout=0.25, tables=50)
    scale = np.float32(1 / 0.75)
    assert set(np.unique(np.abs(found))) == {0, scale}
    dropped = found == 0
    assert (dropped == dropped[:, :1]).all()
    assert dropped[:, 0].mean() == pytest.approx(0.25, abs=0.02)
    assert len(np.unique(dropped[:, 0], axis=0)) == 50


def test_an_odd_number_of_hidden_units_is_refused():
    with pytest.raises(ConfigError, match="hidden=5 is odd"):
        learned([made_up_task("a", "a", "clean")], replace(SMALL, hidden=5), seed=0)
