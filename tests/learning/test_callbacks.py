from __future__ import annotations

import io
import signal
import threading

import pytest
import torch
from points import Points, cloud, plan

from recipes import SMALL, table
from slad import SLAD, fit_many
from slad.core.errors import TrainingWarning
from slad.learning import Callback, EarlyStop, Interrupt, Progress, Snapshots, train
from slad.learning.callbacks import Report


def report(*losses: list[float]) -> Report:
    members = range(len(losses))
    return Report(1, 10, list(losses), list(members), torch.zeros(len(losses), 1))


def test_early_stop_waits_for_patience_epochs_without_a_relative_fall():
    stop = EarlyStop(patience=2, tolerance=0.1)
    assert stop.update(report([1.0])) == set()
    assert stop.update(report([1.0, 0.95, 0.95])) == {0}
    assert stop.update(report([1.0, 0.95, 0.85])) == set()
    assert stop.update(report([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])) == {0}


def test_early_stop_ends_a_loss_that_has_reached_zero():
    assert EarlyStop(patience=2).update(report([1.0, 0.0, 0.0, 0.0])) == {0}


def test_early_stop_leaves_a_slow_but_steady_fall_alone():
    losses = [0.99**epoch for epoch in range(50)]
    stop = EarlyStop(patience=3)
    assert not any(stop.update(report(losses[:end])) for end in range(1, 51))


def test_snapshots_hold_every_member_s_weights_at_the_end_of_each_of_its_epochs():
    clouds, kept = [cloud(12, 1.0), cloud(8, 3.0, seed=1)], Snapshots()
    train(Points(clouds), [plan(4), plan(3, seed=1)], batch_size=4, callbacks=[kept])
    assert [len(of_member) for of_member in kept.weights] == [4, 3]
    for member, points in enumerate(clouds):
        for epochs, weights in enumerate(kept.weights[member], 1):
            [alone] = train(Points([points]), [plan(epochs, seed=member)], batch_size=4)
            assert weights.tolist() == alone.weights.tolist()


class RaiseSignal(Callback):
    """Ctrl-C at the end of an epoch."""

    each_epoch = True

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch

    def update(self, report):
        if len(report.losses[0]) == self.epoch:
            signal.raise_signal(signal.SIGINT)
        return set()


@pytest.fixture
def handler():
    """A handler of the user's own, to be found again afterwards."""

    def own(number, frame):
        raise AssertionError("the user's handler was called")

    previous = signal.signal(signal.SIGINT, own)
    yield own
    signal.signal(signal.SIGINT, previous)


def test_ctrl_c_keeps_the_model_so_far_and_says_so(handler):
    X = table(100, 5)
    detector = SLAD(**SMALL | {"epochs": 50})
    with pytest.warns(TrainingWarning, match="interrupted after"):
        fit_many([detector], [X], callbacks=[RaiseSignal(epoch=3)])
    assert signal.getsignal(signal.SIGINT) is handler
    assert len(detector.history_["loss"]) == 3
    three = SLAD(**SMALL | {"epochs": 3}).fit(X)
    assert detector.anomaly_score(X).tolist() == three.anomaly_score(X).tolist()


def test_ctrl_c_while_the_first_batch_is_prepared_is_survived():
    class Early(Callback):
        def start(self, n_members):
            signal.raise_signal(signal.SIGINT)

    progress = Progress(io.StringIO(), every=0.0)
    interrupt = Interrupt()
    results = train(
        Points([cloud(8, 1.0)]),
        [plan(5)],
        batch_size=4,
        callbacks=[interrupt, Early(), progress],
    )
    assert results[0].interrupted
    assert results[0].steps == 0


def test_the_handler_is_back_after_a_plain_training(handler):
    train(Points([cloud(8, 1.0)]), [plan(2)], batch_size=4, callbacks=[Interrupt()])
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_second_ctrl_c_interrupts_as_usual():
    class Twice(RaiseSignal):
        def update(self, report):
            super().update(report)
            return super().update(report)

    with pytest.raises(KeyboardInterrupt):
        train(Points([cloud(8, 1.0)]), [plan(5)], batch_size=4, callbacks=[Interrupt(), Twice(1)])


def test_training_works_in_a_thread_that_gets_no_signals():
    results = []

    def work():
        results.extend(
            train(Points([cloud(8, 1.0)]), [plan(2)], batch_size=4, callbacks=[Interrupt()])
        )

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert results[0].steps == 4


def test_progress_writes_to_its_stream_only(capsys):
    stream = io.StringIO()
    train(Points([cloud(8, 1.0)]), [plan(2)], batch_size=4, callbacks=[Progress(stream)])
    assert "100%" in stream.getvalue()
    assert "loss" in stream.getvalue()
    assert stream.getvalue().endswith("\n")
    assert capsys.readouterr() == ("", "")


def test_verbose_shows_progress_on_stderr_and_silence_is_the_default(capsys):
    SLAD(**SMALL).fit(table(50, 3))
    assert capsys.readouterr() == ("", "")
    SLAD(**SMALL, verbose=True).fit(table(50, 3))
    out, err = capsys.readouterr()
    assert out == ""
    assert "100%" in err
