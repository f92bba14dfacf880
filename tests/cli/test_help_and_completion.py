"""What the program says about itself, to people and to shells."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time

import pytest

from slad.cli import make_parser
from slad.cli.parser import every_parser, long_options

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


def test_every_option_of_the_work_is_in_a_group():
    groups = {group.title for group in PLACES["detect",]._action_groups}
    assert {"columns", "detector", "what counts as strange", "output"} <= groups


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


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_name_every_command_and_option(shell, slad):
    script = slad("completion", shell).out
    for path, parser in PLACES.items():
        assert " ".join(path) in script
        for option in long_options(parser):
            assert (f"-l {option[2:]}" if shell == "fish" else option) in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def complete(slad, tmp_path):
    """What bash offers for a line whose last word is being typed."""
    if not shutil.which("bash"):
        pytest.skip("there is no bash here")
    (tmp_path / "completion.bash").write_text(slad("completion", "bash").out)
    (tmp_path / "my orders.csv").touch()

    def ask(*words: str) -> list[str]:
        script = (
            'source completion.bash\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n'
            "$(complete -p slad | cut -d ' ' -f 3)\n"
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        done = subprocess.run(
            ["bash", "-c", script, "bash", "slad", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return ask


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["de"], ["demo", "detect"]),
        (["data", ""], ["list", "fetch", "check", "suite", "--help"]),
        (["reproduce", "adb"], ["adbench"]),
        (["detect", "t.csv", "--f"], ["--fpr", "--fdr", "--fail-on-anomaly"]),
        (["detect", "t.csv", "--calibration", "c"], ["cross"]),
        (["detect", "t.csv", "--id", ""], [""]),
        (["detect", "my"], ["my orders.csv"]),
        (["detect", "t.csv", "--config", "my"], ["my orders.csv"]),
        (["completion", "z"], ["zsh"]),
        (["score", "m.slad", "my"], ["my orders.csv"]),
    ],
)
def test_bash_completes_commands_options_values_and_files(complete, words, expected):
    assert complete(*words) == expected


def test_the_rules_and_calibrations_that_the_parser_offers_are_those_there_are():
    """They are written again there, because help must not wait for numpy."""
    from slad.cli import options
    from slad.decisions import RULES, folds

    assert tuple(RULES) == options.RULES
    assert folds.CALIBRATIONS == options.CALIBRATIONS
