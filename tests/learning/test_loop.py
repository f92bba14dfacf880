from __future__ import annotations

import pytest
import torch
from points import Points, cloud, plan

from slad.core.errors import TrainingError
from slad.learning import Callback, EarlyStop, Stream, train


def test_a_member_learns_and_its_losses_are_means_of_epochs():
    (result,) = train(Points([cloud(50, 3.0)]), [plan(40)], batch_size=16)
    assert result.steps == 40 * 4
    assert len(result.losses) == 40
    assert not result.interrupted
    assert result.ended < result.losses[0]
    torch.testing.assert_close(result.weights, cloud(50, 3.0).mean(0), atol=0.1, rtol=0)


def test_the_loop_is_a_plain_torch_loop_over_the_same_batches():
    points = cloud(10, 3.0)
    (result,) = train(Points([points]), [plan(6)], batch_size=4)
    theta = torch.zeros(2, requires_grad=True)
    adam = torch.optim.Adam([theta], lr=0.1)
    generator = torch.Generator().manual_seed(0)
    losses = []
    for _ in range(6):
        for batch in torch.randperm(10, generator=generator).split(4):
            loss = (theta - points[batch]).square().sum(-1).mean() / 2
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item())
    torch.testing.assert_close(result.weights, theta.detach())
    assert result.losses[-1] == pytest.approx(sum(losses[-3:]) / 3)


@pytest.mark.parametrize("window", [None, 8, 20])
def test_members_of_different_lengths_learn_as_if_alone(window):
    points = [cloud(30, 1.0), cloud(9, 2.0), cloud(50, 3.0)]
    plans = [(9, 0), (20, 1), (2, 2)]
    together = train(
        Points(points, window), [plan(epochs, seed) for epochs, seed in plans], batch_size=8
    )
    for own, (epochs, seed), result in zip(points, plans, together, strict=True):
        (alone,) = train(Points([own], window), [plan(epochs, seed)], batch_size=8)
        torch.testing.assert_close(result.weights, alone.weights)
        assert result.losses == pytest.approx(alone.losses)
        assert result.steps == alone.steps == epochs * -(-len(own) // 8)


def test_members_stop_early_on_their_own_and_the_others_go_on():
    points = [cloud(8, 5.0), cloud(8, 5.0)]
    stuck, moving = plan(30, learning_rate=0.0), plan(30)
    first, second = train(
        Points(points), [stuck, moving], batch_size=8, callbacks=[EarlyStop(patience=2)]
    )
    assert first.steps == 3
    assert second.steps > 10
    alone = train(Points(points[1:]), [plan(30)], batch_size=8, callbacks=[EarlyStop(patience=2)])
    torch.testing.assert_close(second.weights, alone[0].weights)


def test_a_loss_that_is_no_number_raises_and_names_the_learning_rate():
    points = cloud(8, 1.0)
    points[3] = torch.nan
    with pytest.raises(TrainingError, match=r"loss became nan.*learning rate below 0\.1,"):
        train(Points([points]), [plan(3)], batch_size=4)


class Watch(Callback):
    each_epoch = True

    def __init__(self, fail: bool = False) -> None:
        self.steps, self.calls, self.fail = [], [], fail

    def start(self, n_members):
        self.calls.append("start")

    def update(self, report):
        self.steps.append(report.step)
        if self.fail:
            raise ZeroDivisionError
        return set()

    def finish(self):
        self.calls.append("finish")


def test_a_callback_is_asked_at_every_epoch_s_end_of_every_member():
    watch = Watch()
    train(Points([cloud(8, 1.0), cloud(12, 1.0)]), [plan(3)] * 2, batch_size=4, callbacks=[watch])
    assert watch.steps == [2, 3, 4, 6, 9]
    assert watch.calls == ["start", "finish"]


def test_callbacks_are_finished_also_when_training_fails():
    watch = Watch(fail=True)
    with pytest.raises(ZeroDivisionError):
        train(Points([cloud(8, 1.0)]), [plan(3)], batch_size=4, callbacks=[watch])
    assert watch.calls == ["start", "finish"]


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
