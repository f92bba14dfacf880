"""The line that says how long the rest takes."""

from __future__ import annotations

from io import StringIO

import pytest

from slad.core import progress as module
from slad.core.progress import ERASED, Progress


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """Seconds that the clock shows; change its only item."""
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_the_line_is_there_before_anything_is_done(clock):
    stream = StringIO()
    with Progress("rows scored", 2000, shown=True, stream=stream):
        assert stream.getvalue() == f"{ERASED}slad: 0 of 2,000 rows scored"


def test_the_time_left_comes_from_what_is_done(clock):
    stream = StringIO()
    with Progress("rows scored", 400, shown=True, stream=stream) as progress:
        clock[0] += 30
        progress.advance(100)
        assert stream.getvalue().endswith("100 of 400 rows scored, 1 min 30 s left")


def test_the_line_is_erased_at_the_end_and_after_an_error(clock):
    stream = StringIO()
    with pytest.raises(ValueError, match="broken"), Progress("r", 2, shown=True, stream=stream):
        raise ValueError("broken")
    assert stream.getvalue().endswith(ERASED)


def test_it_is_not_written_more_often_than_one_can_read(clock):
    stream = StringIO()
    with Progress("rows", 100, shown=True, stream=stream) as progress:
        for _ in range(50):
            clock[0] += module.PAUSE / 10
            progress.advance(1)
    assert stream.getvalue().count("slad:") <= 6


def test_nothing_is_written_where_it_is_not_shown():
    stream = StringIO()
    with Progress("rows", 3, shown=False, stream=stream) as progress:
        progress.advance(3)
    assert stream.getvalue() == ""
    assert progress.text() == "3 of 3 rows"
