"""SIGTERM is answered even while the main thread waits outside Python."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

import pytest

from slad.engines.stop_signal import on_sigterm

pytestmark = pytest.mark.usefixtures("own_sigterm")


@pytest.mark.skipif(sys.platform != "linux", reason="a mutex of zeros, as glibc and musl have it")
def test_it_is_answered_while_the_main_thread_waits_in_c():
    """The main thread waits for a mutex that it holds, which no signal ends: only the handler,
    which lets it go. A handler of the module `signal` would run after the wait."""
    libc, mutex = ctypes.CDLL(None), ctypes.create_string_buffer(64)
    until = (ctypes.c_long * 2)(int(time.time()) + 10, 0)
    assert libc.pthread_mutex_lock(mutex) == 0
    on_sigterm(lambda: libc.pthread_mutex_unlock(mutex))
    threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGTERM)).start()
    assert libc.pthread_mutex_timedlock(mutex, until) == 0


def test_the_handler_runs_once_in_another_thread_and_for_no_other_signal(monkeypatch):
    threads: list[int] = []
    done = threading.Event()
    on_sigterm(lambda: threads.append(threading.get_ident()) or done.set())
    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
        os.kill(os.getpid(), signal.SIGTERM)
        assert done.wait(10)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()
