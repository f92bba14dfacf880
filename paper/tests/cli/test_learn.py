"""`slad learn-signals` as a user runs it."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from slad.cli import main
from slad_paper.cli import learn


@pytest.fixture
def started(monkeypatch) -> list[tuple]:
    """What the steps are given; nothing is learned."""
    calls = []

    def steps(*given):
        calls.append(given)
        yield "first"
        yield "written: weights"

    monkeypatch.setattr("slad_paper.signals.learning.steps", steps)
    return calls


def test_without_options_everything_goes_to_folders_below_this_one(started):
    assert main(["learn-signals"]) == 0
    expected = (Path("weights/inputs"), Path("weights"), Path("results/tables"), os.cpu_count())
    assert started == [expected]


def test_every_option_reaches_the_steps(started, tmp_path):
    words = ["--out", tmp_path / "w", "--inputs", tmp_path / "i", "--records", tmp_path / "r"]
    assert main(["learn-signals", *map(str, words), "--workers", "3"]) == 0
    assert started == [(tmp_path / "i", tmp_path / "w", tmp_path / "r", 3)]


def test_inputs_lie_beside_the_weights_unless_another_folder_is_named(started, tmp_path):
    main(["learn-signals", "--out", str(tmp_path)])
    assert started[0][0] == tmp_path / "inputs"


def test_each_step_is_told_on_stderr(started, capsys):
    main(["learn-signals"])
    printed = capsys.readouterr()
    assert printed.err == "slad: first\nslad: written: weights\n"
    assert printed.out == ""


def test_the_help_names_every_option_and_that_a_start_may_be_interrupted(capsys):
    with pytest.raises(SystemExit) as stop:
        main(["learn-signals", "--help"])
    assert stop.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    for option in ("--out DIR", "--inputs DIR", "--records DIR", "--workers N"):
        assert option in shown
    assert "What an interrupted start has computed of the tables is kept" in shown


def test_the_parser_alone_knows_the_types_of_its_options():
    parser = argparse.ArgumentParser()
    learn.add_parser(parser.add_subparsers())
    options = parser.parse_args(["learn-signals", "--out", "a", "--workers", "2"])
    assert (options.out, options.inputs, options.workers) == (Path("a"), None, 2)
    assert options.run is learn.run


def test_help_is_quick_for_it_loads_nothing_heavy():
    program = (
        "import sys\nfrom slad.cli import main\n"
        "try: main(['learn-signals', '--help'])\n"
        "except SystemExit: pass\n"
        "loaded = {'torch', 'numpy', 'sklearn', 'pyarrow'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_without_tables_it_says_where_they_are_expected_and_writes_nothing(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    assert main(["learn-signals", "--workers", "1"]) == 1
    said = capsys.readouterr().err
    assert f"{tmp_path / 'data' / 'tables' / 'manifest.csv'} is not there" in said
    assert "set SLAD_DATA" in said
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--worker", "2"], "did you mean --workers"),
        (["--workers", "two"], "argument --workers"),
        (["weights"], "unexpected argument 'weights'"),
    ],
)
def test_what_cannot_be_meant_is_named_before_any_work_starts(words, said, started, capsys):
    try:
        code = main(["learn-signals", *words])
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert said in capsys.readouterr().err
    assert not started
