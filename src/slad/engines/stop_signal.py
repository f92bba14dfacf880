"""Answering to SIGTERM even where the main thread waits for something outside Python."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable


def when_stopped(answer: Callable[[], None]) -> None:
    """Have another thread call `answer` when this process is asked to end.

    Python runs handlers of signals in the main thread, between two of its instructions, and a
    message that never comes keeps it from there. But a signal's number is written to a socket at
    once.
    """
    mine, other = socket.socketpair()
    other.setblocking(False)
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    signal.set_wakeup_fd(other.fileno(), warn_on_full_buffer=False)

    def wait() -> None:
        with other:
            while number := mine.recv(1):
                if number[0] == signal.SIGTERM:
                    answer()

    threading.Thread(target=wait, daemon=True).start()
