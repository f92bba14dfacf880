"""Completion scripts, as the shells run them."""

from __future__ import annotations

import shlex
import shutil
import subprocess

import pytest

from slad.cli.shells import Place, Value, bash, fish, zsh


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


PLACES = [
    Place("slad", {"fit": "learn what's normal"}, [("--version", "", Value())], Value()),
    Place(
        "slad fit",
        {},
        [
            ("--out", "the model: FILE", Value(taken=True, files=True)),
            ("--rule", "what counts", Value(taken=True, choices=("fpr", "top"))),
            ("--seed", "a number", Value(taken=True)),
            ("--quiet", "don't speak", Value()),
        ],
        Value(taken=True, files=True),
    ),
]


def test_bash_offers_commands_options_choices_and_files():
    script = bash(PLACES)
    assert '"slad") words="fit --version" ;;' in script
    assert '"slad fit") words="--out --rule --seed --quiet" files=yes ;;' in script
    assert '"slad fit --out") words="" files=yes ;;' in script
    assert '"slad fit --rule") words="fpr top" ;;' in script
    assert '"slad fit --seed") words="" ;;' in script
    assert '"slad fit --quiet")' not in script


def test_zsh_describes_what_it_offers_with_apostrophes_quoted():
    script = zsh(PLACES)
    offered = {line.strip() for line in script.splitlines()}
    assert '"slad fit --out") _files; return ;;' in offered
    assert '"slad fit --rule") compadd -- fpr top; return ;;' in offered
    assert '"slad fit --seed") :; return ;;' in offered
    [line] = [line for line in offered if line.startswith('"slad fit") list=')]
    words = shlex.split(line.partition("list=(")[2].partition(");")[0])
    assert words[0] == "--out:the model: FILE"
    assert words[-1] == "--quiet:don't speak"
    assert line.endswith("_describe slad list; _files ;;")


def test_fish_describes_what_it_offers_with_apostrophes_quoted():
    lines = {tuple(shlex.split(line)[4:]) for line in fish(PLACES).splitlines() if " -n " in line}
    at, below = ("__slad_place slad",), ("__slad_place slad fit",)
    assert lines == {
        (*at, "-a", "fit", "-d", "learn what's normal"),
        (*at, "-l", "version", "-d", ""),
        (*below, "-l", "out", "-r", "-F", "-d", "the model: FILE"),
        (*below, "-l", "rule", "-x", "-a", "fpr top", "-d", "what counts"),
        (*below, "-l", "seed", "-x", "-d", "a number"),
        (*below, "-l", "quiet", "-d", "don't speak"),
        (*below, "-F"),
    }
