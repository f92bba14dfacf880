"""The help of every command, and errors in a command line."""

from __future__ import annotations

import re
import subprocess
import sys
import time

import pytest

from slad.cli import make_parser
from slad.cli.parser import every_parser

PLACES = {path: parser for path, parser in every_parser(make_parser()) if path}


@pytest.mark.parametrize("path", PLACES, ids=" ".join)
def test_every_command_has_a_description_and_an_example_that_parses(path, slad):
    shown = slad(*path, "--help")
    assert shown.code == 0
    assert PLACES[path].description
    examples = shown.out.partition("example:\n")[2].splitlines()
    assert examples
    for line in examples:
        command = re.search(r"\bslad ([^>#|]*)", line)
        assert make_parser().parse_args(command[1].split())


def test_help_is_quick_and_loads_nothing_heavy():
    program = (
        "import sys\nfrom slad.cli import main\n"
        "try: main(['detect', '--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'torch', 'numpy', 'sklearn', 'pyarrow', 'slad.tables'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    times = []
    for _ in range(3):
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        times.append(time.perf_counter() - start)
        assert done.returncode == 0, done.stderr
    assert min(times) < 1  # 0.1 s on a machine that has nothing else to do


def test_a_misspelt_option_is_named_with_its_neighbours(slad):
    done = slad("detect", "t.csv", "--contaminaton", "1%")
    assert done.code == 2
    assert "did you mean --contamination" in done.err
    done = slad("detect", "t.csv", "u.csv")
    assert done.code == 2
    assert "'u.csv'" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["detct", "t.csv"], "no command of slad is called 'detct'; did you mean detect?"),
        (["expln"], "did you mean explain"),
        (["frobnicate"], "no command of slad is called 'frobnicate'. There are: demo, detect, "),
        (["data", "lst"], "no command of slad data is called 'lst'; did you mean list"),
    ],
)
def test_a_mistyped_command_is_answered_with_the_nearest_ones(slad, words, message):
    done = slad(*words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "see slad" in done.err.splitlines()[1]
