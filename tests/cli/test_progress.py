"""Progress on stderr, and the seconds of each step."""

from __future__ import annotations

import sys
import time
import warnings

import pytest

from slad.cli.progress import Steps, warn, warnings_as_lines
from slad.core.errors import TrainingWarning

FAST = ("--detector", "knn-5", "--id", "order", "--drop", "fraud")


def test_progress_is_on_stderr_and_quiet_silences_it(slad, table):
    assert "learning from 150 rows" in slad("detect", table, *FAST).err
    assert slad("detect", table, *FAST, "--quiet").err == ""


def test_a_step_is_announced_and_timed_and_times_of_one_name_add_up(capsys):
    steps = Steps()
    with steps("read", "reading a.csv"):
        time.sleep(0.002)
    first = steps.seconds["read"]
    with steps("read", "reading b.csv"):
        pass
    assert capsys.readouterr() == ("", "slad: reading a.csv\nslad: reading b.csv\n")
    assert 0.002 <= first < steps.seconds["read"]
    assert list(steps.seconds) == ["read"]


def test_quiet_times_without_a_word_but_warnings_are_still_printed(capsys):
    steps = Steps(quiet=True)
    with steps("fit", "learning"):
        steps.say("note")
    assert capsys.readouterr().err == ""
    assert list(steps.seconds) == ["fit"]
    warn("caution")
    assert capsys.readouterr().err == "slad: caution\n"


def test_a_line_that_is_updated_is_for_terminals_and_not_for_quiet(monkeypatch):
    assert not Steps().verbose  # the tests' stderr is a file
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert Steps().verbose
    assert not Steps(quiet=True).verbose


def test_warnings_are_lines_and_as_before_afterwards(capsys):
    show = warnings.showwarning
    with warnings_as_lines():
        for _ in range(2):
            warnings.warn("loss is not finite", TrainingWarning, stacklevel=1)
    assert capsys.readouterr().err == "slad: warning: loss is not finite\n" * 2
    assert warnings.showwarning is show


def test_an_interrupted_training_stops_the_command():
    with pytest.raises(KeyboardInterrupt), warnings_as_lines():
        warnings.warn("interrupted after 3 epochs", TrainingWarning, stacklevel=1)
