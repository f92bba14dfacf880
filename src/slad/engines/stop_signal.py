"""A SIGTERM handler that runs even while the main thread waits for something outside Python."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable


def on_sigterm(handler: Callable[[], None]) -> None:
    """Call `handler` from another thread when this process is asked to end.

    Python runs signal handlers in the main thread, between two of its instructions, so a main
    thread that waits for a message never runs them. The wake-up socket gets the signal's number
    at once.
    """
    mine, other = socket.socketpair()
    other.setblocking(False)
    signal.signal(signal.SIGTERM, lambda number, frame: None)
    signal.set_wakeup_fd(other.fileno(), warn_on_full_buffer=False)

    def wait() -> None:
        with other:
            while number := mine.recv(1):
                if number[0] == signal.SIGTERM:
                    handler()

    threading.Thread(target=wait, daemon=True).start()
