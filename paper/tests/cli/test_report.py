from __future__ import annotations

import argparse
import subprocess
import sys

import pytest

from made_up_records import record, write
from slad.cli import report
from slad.core.errors import ConfigError, DataError

# As on a machine without them. A None in sys.modules would not do: scipy looks torch up there.
BLOCKED = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import argparse
from slad.cli import report
parser = argparse.ArgumentParser()
report.add_parser(parser.add_subparsers())
options = parser.parse_args(["report", *sys.argv[1:]])
sys.exit(options.run(options))
"""
HEAVY = {"torch", "sklearn"}
EXTRA = {"matplotlib", "pandas", "scikit_posthocs", "seaborn", "statsmodels"}


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    report.add_parser(parser.add_subparsers())
    return parser.parse_args(["report", *words])


def runs(experiment: str) -> list[dict]:
    names = ("thyroid", "bank", "waveform")
    return [
        record(name, data, 0.5 + 0.1 * at, 0.4, experiment=experiment)
        for at, name in enumerate(("slad", "iforest", "lof"))
        for data in names
    ]


def without(blocked: set[str], *words: str) -> subprocess.CompletedProcess[str]:
    program = BLOCKED.replace("{blocked}", repr(blocked))
    command = [sys.executable, "-W", "error", "-c", program, *words]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("experiment", ["effectiveness", "adbench"])
def test_reports_need_neither_torch_nor_scikit_learn(tmp_path, experiment):
    folder = write(tmp_path, *runs(experiment))
    done = without(HEAVY, str(folder), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "AUC-ROC" in done.stdout
    assert list((tmp_path / "out").glob("*.svg"))


@pytest.mark.parametrize("experiment", ["effectiveness", "adbench"])
def test_tables_and_tests_need_no_extra_and_one_line_names_it(tmp_path, experiment):
    folder = write(tmp_path, *runs(experiment))
    done = without(HEAVY | EXTRA, str(folder), "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1
    assert "pip install 'slad-paper[pictures]'" in done.stderr
    assert (tmp_path / "out" / f"{experiment}.md").exists()
    assert not list((tmp_path / "out").glob("*.svg"))
    if experiment == "adbench":
        assert "Friedman's test, 3 detectors" in done.stdout


def test_asked_for_no_pictures_nothing_is_said_of_what_is_missing(tmp_path):
    folder = write(tmp_path, *runs("adbench"))
    done = without(HEAVY | EXTRA, str(folder), "--out", str(tmp_path / "out"), "--no-pictures")
    assert (done.returncode, done.stderr) == (0, "")


def test_several_folders_are_one_report(tmp_path, capsys):
    first, second = runs("adbench")[:4], runs("adbench")[4:]
    folders = [str(write(tmp_path / name, *part)) for name, part in (("a", first), ("b", second))]
    options = parse(*folders, "--out", str(tmp_path / "out"), "--no-pictures")
    assert options.run(options) == 0
    assert "3 are ranked" in capsys.readouterr().out


def test_the_default_place_is_named_after_the_experiment(tmp_path, monkeypatch, capsys):
    folder = write(tmp_path, *runs("adbench"))
    monkeypatch.chdir(tmp_path)
    options = parse(str(folder), "--no-pictures")
    options.run(options)
    assert "wrote report/adbench/adbench.md" in capsys.readouterr().out
    assert (tmp_path / "report" / "adbench" / "adbench.md").exists()


def test_bad_folders_and_unknown_experiments_are_errors_of_slad(tmp_path):
    options = parse(str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="nowhere"):
        options.run(options)
    options = parse(str(write(tmp_path, record(experiment="mystery"))))
    with pytest.raises(ConfigError, match="mystery"):
        options.run(options)
