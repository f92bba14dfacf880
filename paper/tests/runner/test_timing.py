"""Clocks and made-up tables for timings."""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest
import torch

from slad_paper.runner.timing import cut_off, rows_like, seconds


def test_what_takes_too_long_is_cut_off_and_the_clock_is_given_back():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeoutError, match=r"cut off after 0\.05 s"), cut_off(0.05):
        time.sleep(5)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_what_ends_in_time_is_left_alone():
    with cut_off(0.05):
        pass
    time.sleep(0.1)


def test_a_thread_has_no_such_clock_and_works_without():
    done = []

    def work():
        with cut_off(0.01):
            time.sleep(0.05)
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def test_made_up_rows_are_scaled_to_one_and_follow_from_the_seed():
    normal, odd = rows_like(50, 6)
    assert normal.shape == (50, 6)
    assert odd.shape == (5, 6)
    assert (normal.min(axis=0) == 0).all()
    assert (normal.max(axis=0) == 1).all()
    assert np.array_equal(normal, rows_like(50, 6)[0])
    assert not np.array_equal(normal, rows_like(50, 6, seed=1)[0])


def test_seconds_are_those_of_the_work():
    assert 0.02 <= seconds(lambda: time.sleep(0.02), torch.device("cpu")) < 1
