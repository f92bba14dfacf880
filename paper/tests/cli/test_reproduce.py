"""`slad reproduce` as a user runs it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from slad.cli import main
from slad_paper.datasets import find
from slad_paper.runner.packing import recorded

SMALL = "slad-subspaces[n_groups=3,group_size=4,representation_dim=8,hidden_dim=8,epochs=2]"
ADBENCH = [
    *("reproduce", "adbench", "--datasets", "14_glass", "45_wine", "4_breastw", "42_WBC"),
    *("--detectors", SMALL, "iforest", "knn-1", "ecod", "--seeds", "0", "1"),
    *("--device", "cpu", "--workers", "2"),
]


def start(words: list[str], folder: Path, root: Path | str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "slad", *words],
        cwd=folder,
        env=os.environ | {"SLAD_DATA": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def made(folder: Path) -> dict[str, bytes]:
    """What a run left to be read: tables and pictures."""
    return {path.name: path.read_bytes() for path in sorted((folder / "report").iterdir())}


@pytest.mark.data
def test_killed_in_the_middle_and_started_again_it_prints_the_same_table(tmp_path, data_root):
    whole = start([*ADBENCH, "--out", "whole"], tmp_path, data_root)
    printed, said = whole.communicate(timeout=300)
    assert whole.returncode == 0, said
    assert "knn-1" in printed
    assert "runs" in said
    assert "runs" not in printed.split("\n")[0]  # progress does not mix with results

    killed = start([*ADBENCH, "--out", "killed"], tmp_path, data_root)
    until = time.monotonic() + 120
    while len(list((tmp_path / "killed").rglob("*-split*.json"))) < 5:
        assert time.monotonic() < until
        time.sleep(0.02)
    killed.kill()
    killed.communicate()
    assert len(recorded(tmp_path / "killed")) < len(recorded(tmp_path / "whole"))
    again = start([*ADBENCH, "--out", "killed"], tmp_path, data_root)
    printed_again, said = again.communicate(timeout=300)
    assert again.returncode == 0, said
    assert printed_again.replace("killed/", "whole/") == printed
    assert made(tmp_path / "killed") == made(tmp_path / "whole")
    assert {Path(name).suffix for name in made(tmp_path / "whole")} == {
        ".md",
        ".csv",
        ".svg",
    }


@pytest.mark.data
def test_the_main_table_names_what_is_rebuilt_and_what_is_not_at_hand(tmp_path, data_root):
    words = ["reproduce", "effectiveness", "--detectors", "ecod", "--datasets", "thyroid"]
    words += ["arrhythmia", "unsw-nb15-dos", "amazon", "--quick", "--no-pictures"]
    run = start(words, tmp_path, data_root)
    printed, said = run.communicate(timeout=300)
    assert run.returncode == 0, said
    assert "not at hand, left out: amazon" in said
    assert "rebuilt" in printed
    assert "not available" in printed
    assert (tmp_path / "results" / "effectiveness-quick" / "ecod.jsonl").is_file()


def test_without_any_dataset_it_says_how_to_get_one(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "adbench", "--detectors", "ecod"]) == 1
    said = capsys.readouterr().err
    assert str(tmp_path) in said
    assert "slad data fetch" in said


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--detectors", "knn1"], "did you mean knn-1"),
        (["--detectors", "slad[epoch=1]"], "no parameter 'epoch'"),
        (["--datasets", "tyroid"], "did you mean 38_thyroid"),
        (["--seeds", "-1"], "seeds from 0"),
        (["--workers", "0"], "--workers 0"),
        (["--device", "gpu"], "device='gpu'"),
    ],
)
def test_bad_input_is_named_before_any_work_starts(words, expected, tmp_path, monkeypatch, capsys):
    (tmp_path / "adbench").mkdir()
    (tmp_path / "adbench" / "14_glass.npz").touch()
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "adbench", *words]) == 2
    assert expected in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


def test_a_corrupt_file_is_named_with_both_checksums_before_any_work(tmp_path, monkeypatch, capsys):
    (tmp_path / "adbench").mkdir()
    (tmp_path / "adbench" / "14_glass.npz").write_bytes(b"damaged")
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["reproduce", "adbench", "--detectors", "ecod"]) == 1
    said = capsys.readouterr().err
    assert "14_glass.npz" in said
    assert find("14_glass").sha256 in said
    assert hashlib.sha256(b"damaged").hexdigest() in said
    assert "slad data fetch 14_glass --again" in said
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize("name", ["effectiveness", "adbench"])
def test_every_experiment_has_the_same_options(name, capsys):
    with pytest.raises(SystemExit):
        main(["reproduce", name, "--help"])
    shown = capsys.readouterr().out
    for option in ("--quick", "--detectors", "--datasets", "--seeds", "--out"):
        assert option in shown


def test_help_is_quick_for_it_loads_nothing_heavy():
    program = (
        "import sys\nfrom slad.cli import main\n"
        "try: main(['reproduce', 'adbench', '--help'])\n"
        "except SystemExit: pass\n"
        "loaded = {'torch', 'numpy', 'sklearn'} & set(sys.modules)\n"
        "assert not loaded, loaded"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_an_unknown_command_and_none_at_all_show_what_there_is(capsys):
    for words in ([], ["nonsense"]):
        with pytest.raises(SystemExit) as stop:
            main(words)
        assert stop.value.code == 2
    assert "reproduce" in capsys.readouterr().err
