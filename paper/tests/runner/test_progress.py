from __future__ import annotations

import io

import pytest

from slad_paper.runner.plan import Run
from slad_paper.runner.progress import Line

RUNS = [Run("toy", name, "wine", seed, seed) for name in ("slad", "lof") for seed in range(5)]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_time_left_comes_from_what_each_detector_took():
    line = Line(RUNS, workers=2, stream=io.StringIO())
    line.done(RUNS[0], 10.0, failed=False)
    line.done(RUNS[5], 1.0, failed=False)
    assert line.seconds_left() == pytest.approx((4 * 10 + 4 * 1) / 2)


def test_a_detector_that_has_not_run_yet_is_taken_for_the_average():
    line = Line(RUNS, workers=1, stream=io.StringIO())
    line.done(RUNS[0], 10.0, failed=False)
    assert line.seconds_left() == pytest.approx(9 * 10)


def test_a_terminal_has_one_line_that_is_written_over():
    stream = Terminal()
    line = Line(RUNS, workers=1, stream=stream)
    for run in RUNS:
        line.shown = 0.0  # as if time had passed
        line.done(run, 1.0, failed=run is RUNS[3])
    said = stream.getvalue()
    assert said.count("\r") == 10
    assert said.count("\n") == 1
    assert said.endswith("\n")
    assert "10 of 10 runs, 1 failed, 0 s left" in said


def test_a_log_file_gets_plain_lines_and_not_one_a_run():
    stream = io.StringIO()
    line = Line(RUNS, workers=1, stream=stream)
    for run in RUNS:
        line.done(run, 1.0, failed=False)
    said = stream.getvalue()
    assert "\r" not in said
    assert said.splitlines()[-1] == "slad: 10 of 10 runs, 0 s left"
    assert len(said.splitlines()) == 2


def test_a_second_start_says_what_is_recorded_already():
    first, second = io.StringIO(), io.StringIO()
    Line(RUNS, workers=1, stream=first).begin(0)
    Line(RUNS[2:], workers=1, stream=second).begin(2)
    assert first.getvalue() == "slad: 10 runs to do\n"
    assert second.getvalue() == "slad: 8 runs to do, 2 are recorded already\n"
