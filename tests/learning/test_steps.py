"""Steps of training: gradients, sums over processes, the optimiser, and when to stop."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from points import Points, cloud, plan

from slad.learning import Share, steps, train
from slad.learning.optimizer import NEGLIGIBLE, StackAdam
from slad.learning.steps import CapturedSteps, Steps, make_stepper


def test_weights_that_only_decay_moves_end_as_nothing(monkeypatch):
    class Idle(Points):
        def step(self, where: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
            self.parameters.gradients.zero_()
            return torch.zeros(len(where))

    def trained() -> torch.Tensor:
        objective = Idle([cloud(8, 0.0)])
        objective.parameters.values.copy_(torch.tensor([[0.01, 1e-12]]))
        decaying = replace(plan(3000, learning_rate=1e-3), weight_decay=1e-6)
        return train(objective, [decaying], batch_size=8)[0].weights

    assert (trained() == 0).all()
    monkeypatch.setattr(steps, "CLEAR_EVERY", 10**9)
    left = trained().abs()
    assert ((left > 0) & (left < NEGLIGIBLE)).all()


def stepper(share: Share | None = None) -> Steps:
    objective = Points([cloud(8, 3.0), cloud(8, -1.0)])
    for member in (0, 1):
        objective.load(member, 8 * member, torch.arange(8))
    optimizer = StackAdam(objective.parameters, [(0.1, 0.0)] * 2)
    made = Steps(objective, optimizer) if share is None else Steps(objective, optimizer, share)
    made.prepare(2)
    return made


def batches(steps: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The same four points of each member in every step."""
    where = torch.tensor([[0, 1, 2, 3], [8, 9, 10, 11]]).expand(steps, 2, 4)
    return where, torch.full((steps, 2, 4), 0.25)


def never() -> bool:
    return False


def test_there_is_a_loss_for_every_step_and_member_and_it_falls():
    losses = stepper().run(*batches(20), never)
    assert losses.shape == (20, 2)
    assert (losses[-1] < losses[0]).all()


def test_steps_that_are_stopped_have_moved_the_weights_so_far_and_no_further():
    whole, stopped = stepper(), stepper()
    expected = whole.run(*batches(3), never)
    calls = iter([False, False, False, True])
    losses = stopped.run(*batches(10), lambda: next(calls))
    assert torch.equal(losses, expected)
    assert torch.equal(stopped.objective.parameters.values, whole.objective.parameters.values)
    assert int(stopped.optimizer.steps) == 3


def test_steps_stopped_at_once_change_nothing():
    made = stepper()
    assert made.run(*batches(5), lambda: True).shape == (0, 2)
    assert (made.objective.parameters.values == 0).all()


def test_steps_in_two_runs_are_those_of_one():
    whole, twice = stepper(), stepper()
    expected = whole.run(*batches(6), never)
    found = torch.cat([twice.run(*batches(count), never) for count in (2, 4)])
    assert torch.equal(found, expected)


def test_finished_members_stand_still():
    made = stepper()
    assert made.prepare(1) == 1
    where, weight = batches(4)
    assert made.run(where[:, :1], weight[:, :1], never).shape == (4, 1)
    first, second = made.objective.parameters.values
    assert (first != 0).all()
    assert (second == 0).all()


class Doubled(Share):
    """As if another process had found the same."""

    def total(self, *tensors: torch.Tensor) -> None:
        for tensor in tensors:
            tensor.mul_(2)


def test_losses_and_gradients_are_summed_over_the_processes_before_the_step():
    alone, shared = stepper(), stepper(Doubled())
    where, weight = batches(1)
    torch.testing.assert_close(
        shared.run(where, weight / 2, never), alone.run(where, weight, never)
    )
    torch.testing.assert_close(
        shared.objective.parameters.gradients, alone.objective.parameters.gradients
    )


def test_on_a_cpu_steps_are_not_captured():
    made = stepper()
    assert type(make_stepper(made.objective, made.optimizer)) is Steps


@pytest.mark.gpu
def test_on_a_gpu_steps_are_captured_unless_processes_share_them():
    made, several = stepper(), Share()
    several.world = 2
    made.objective.parameters.values = made.objective.parameters.values.cuda()
    assert type(make_stepper(made.objective, made.optimizer)) is CapturedSteps
    assert type(make_stepper(made.objective, made.optimizer, several)) is Steps
