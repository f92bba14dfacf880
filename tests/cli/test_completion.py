"""Tab completion for three shells."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from slad.cli import make_parser
from slad.cli.parser import every_parser, long_options

PLACES = {path: parser for path, parser in every_parser(make_parser()) if path}


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
