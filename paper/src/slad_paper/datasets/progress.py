"""A line on the terminal that says how far a download is."""

from __future__ import annotations

import time
from pathlib import PurePosixPath
from typing import TextIO

EVERY = 0.1


def human(size: float) -> str:
    """A size in bytes for people.

    >>> human(731), human(26_421_880)
    ('731 B', '26.4 MB')
    """
    for unit in ("B", "kB", "MB"):
        if size < 999.5:
            return f"{size:.0f} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


class ProgressLine:
    """Writes bytes, share and speed over one line; nothing where the stream is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._path = ""
        self._width = 0

    def __call__(self, path: str, have: int, total: int | None) -> None:
        now = time.monotonic()
        if path != self._path:
            self.close()
            self._path, self._start, self._shown, self._first = path, now, 0.0, have
        if not self._stream.isatty() or (now - self._shown < EVERY and have != total):
            return
        self._shown = now
        speed = (have - self._first) / max(now - self._start, 1e-3)
        share = f" of {human(total)} ({have / max(total, 1):.0%})" if total is not None else ""
        line = f"{PurePosixPath(path).name}: {human(have)}{share}, {human(speed)}/s"
        self._stream.write("\r" + line.ljust(self._width))
        self._stream.flush()
        self._width = len(line)

    def close(self) -> None:
        """End the line, if one was begun."""
        if self._width:
            self._stream.write("\n")
        self._width, self._path = 0, ""
