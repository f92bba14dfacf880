"""One objective for every method: which rows, which random numbers, which gradients."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import torch

from slad.learning import Method, ParameterStack, RowsObjective, RowsTask, rows_objective, train
from slad.learning.loop import MemberPlan


class Source:
    def __init__(self, values):
        self.values = values

    def __len__(self):
        return len(self.values)

    def take(self, places):
        return self.values[places]

    def blocks(self, size):
        yield from self.values.split(size)


@dataclass(frozen=True)
class Mean(Method):
    """Learns the mean of the rows, each moved by a little noise."""

    noise: float = 0.0

    @property
    def shapes(self):
        return {"mean": (1, self.n_features)}

    @property
    def cells_per_row(self):
        return self.n_features

    def initial(self, streams):
        return {"mean": torch.zeros(1, self.n_features)}

    def losses(self, weights, constants, batch):
        targets = batch.rows + self.noise * batch.draws.get("noise", torch.zeros(()))
        return (weights["mean"] - targets).square().sum(-1) / 2


@dataclass(frozen=True)
class NoisyMean(Mean):
    def draw(self, generator, batch_size):
        return {"noise": torch.randn(batch_size, self.n_features, generator=generator)}


def objective(method, tables, batch_size=8):
    tasks = [
        RowsTask(Source(table), {}, {}, torch.Generator().manual_seed(number), epochs=3)
        for number, table in enumerate(tables)
    ]
    start = torch.zeros(len(tables), method.n_weights)
    return RowsObjective(method, tasks, ParameterStack(method.shapes, start), batch_size=batch_size)


def plan(seed, epochs=30):
    return MemberPlan(epochs, 0.1, 0.0, torch.Generator().manual_seed(seed))


def cloud(n, seed):
    return torch.randn(n, 3, generator=torch.Generator().manual_seed(seed)) + seed


@pytest.mark.parametrize("keep", [2**30, 0], ids=["kept", "window"])
def test_members_learn_from_their_own_rows(keep, monkeypatch):
    monkeypatch.setitem(rows_objective.KEEP_AT_MOST, "cpu", keep)
    monkeypatch.setitem(rows_objective.WINDOW_BYTES, "cpu", 300)
    tables = [cloud(40, 1), cloud(23, 5)]
    stack = objective(Mean(3), tables)
    assert (stack.window is None) == (keep > 0)
    for table, result in zip(tables, train(stack, [plan(0), plan(1)], batch_size=8), strict=True):
        torch.testing.assert_close(result.weights, table.mean(0), atol=0.2, rtol=0)


def test_the_filling_of_an_epoch_s_last_batch_has_no_influence():
    (result,) = train(objective(Mean(3), [cloud(9, 1)]), [plan(0, 1)], batch_size=8)
    theta = torch.zeros(3, requires_grad=True)
    adam = torch.optim.Adam([theta], lr=0.1)
    for batch in torch.randperm(9, generator=torch.Generator().manual_seed(0)).split(8):
        adam.zero_grad()
        ((theta - cloud(9, 1)[batch]).square().sum(-1) / 2).mean().backward()
        adam.step()
    torch.testing.assert_close(result.weights, theta.detach())


@pytest.mark.parametrize("size", [100, 1000, 2**20])
def test_fresh_draws_do_not_depend_on_how_many_are_made_at_a_time(size, monkeypatch):
    method, tables = NoisyMean(3, noise=1.0), [cloud(40, 1), cloud(23, 5)]
    expected = train(objective(method, tables), [plan(0), plan(1)], batch_size=8)
    monkeypatch.setitem(rows_objective.WINDOW_BYTES, "cpu", size)
    found = train(objective(method, tables), [plan(0), plan(1)], batch_size=8)
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(ours.weights, theirs.weights, rtol=0, atol=0)


def test_every_visit_of_a_row_has_new_numbers():
    stack = objective(NoisyMean(3, noise=1.0), [cloud(8, 1)])
    seen = []
    for _ in range(2):
        stack.load(0, 0, torch.arange(8))
        seen.append(stack.draws["noise"][:8].clone())
    assert not torch.isclose(*seen).any()


def test_a_batch_knows_how_many_epochs_are_done():
    epochs = []

    @dataclass(frozen=True)
    class Watching(Mean):
        def losses(self, weights, constants, batch):
            epochs.append(batch.epoch.tolist())
            return super().losses(weights, constants, batch)

    train(
        objective(Watching(3), [cloud(20, 1), cloud(8, 2)]), [plan(0, 2), plan(1, 6)], batch_size=8
    )
    assert [mine[0] for mine in epochs] == [0, 0, 0, 1, 1, 1]
    assert [mine[1] for mine in epochs] == [0, 1, 2, 3, 4, 5]
