"""Errors are one line, come before the work, and leave no incomplete file."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from order_tables import orders, write_csv

FAST = ("--detector", "ecod", "--quiet")


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"order,price\n", "no rows"),
        (b"a,b\n1,2\n3,4\n", "2 rows"),
        (b"a,b\n1,2\n3\n" * 5, "line 3"),
        ("name,price\n".encode("utf-16") + "Zo\u00eb,3\n".encode("latin-1") * 20, ""),
        (b"\x00\x01\x02PK\x03\x04" * 50, ""),
        (b"same\n" + b"1\n" * 20, "no column to learn from"),
    ],
    ids=["empty", "header", "two rows", "ragged", "two encodings", "binary", "constant"],
)
def test_a_table_that_cannot_be_used_is_an_error_with_its_name(slad, tmp_path, content, message):
    (tmp_path / "bad.csv").write_bytes(content)
    done = slad("detect", "bad.csv", *FAST, "--out", "s.csv", "--report", "p.html")
    assert done.code == 1, (done.out, done.err)
    assert done.err.startswith("slad: ")
    assert "bad.csv" in done.err
    assert message in done.err
    assert left(tmp_path) == {"bad.csv"}


def test_another_encoding_is_read_or_refused_but_never_a_crash(slad, tmp_path):
    rows = "name,price\n" + "".join(f"Zo\u00eb {at},{at * 7 % 13}\n" for at in range(40))
    (tmp_path / "latin.csv").write_bytes(rows.encode("latin-1"))
    done = slad("detect", "latin.csv", *FAST, "--top", "1", "--out", "s.csv")
    assert done.code in (0, 1)
    assert (done.code == 0) == (tmp_path / "s.csv").exists()


def test_one_column_is_enough(slad, tmp_path):
    numbers = [{"n": float(at % 10)} for at in range(60)]
    numbers[13]["n"] = 500.0
    write_csv(tmp_path / "one.csv", numbers)
    done = slad("detect", "one.csv", *FAST, "--top", "1")
    assert done.code == 0, done.err
    assert "row 14" in done.out


def test_a_missing_file_is_an_error_and_a_wrong_option_one_of_usage(slad, table):
    assert slad("detect", "nowhere.csv").code == 1
    assert slad("detect", table, "--detector", "knn5").code == 2
    assert slad("detect", table, "--set", "nonsense=1").code == 2
    assert slad("detect", table, "--device", "gpu").code == 2
    assert slad("detect", table, *FAST, "--drop", "nonsense").code == 2
    assert slad("detect", table, *FAST, "--id", "nonsense").code == 2
    assert slad("detect", table, "--positive", "1").code == 2


@pytest.mark.parametrize("words", [["--out", "s.csv"], ["--report", "p.html"]])
def test_a_full_disk_leaves_nothing_half_written(slad, table, monkeypatch, words):
    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))

    monkeypatch.setattr(Path, "replace", full)
    done = slad("detect", table, *FAST, *words)
    assert done.code == 1
    assert "No space left on device" in done.err
    assert left(table.parent) == {"orders.csv"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_stdout_is_an_error(table):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "slad", "detect", str(table), *FAST],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "slad: No space left on device; no incomplete file is left\n"


def test_a_missing_library_names_its_extra(tmp_path):
    model = Path(__file__).parents[1] / "core" / "former" / "table-subspaces.slad"
    program = (
        "import sys\nsys.modules['onnx'] = None\n"
        "from slad.cli import main\nsys.exit(main(sys.argv[1:]))"
    )
    words = ["export", str(model), "--onnx", str(tmp_path / "model.onnx")]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "slad: this needs onnx: pip install 'slad[onnx]'\n"


def test_ctrl_c_ends_with_130_and_leaves_nothing(tmp_path):
    table = write_csv(tmp_path / "orders.csv", orders())
    words = [
        "--detector",
        "slad",
        "--set",
        "epochs=100000",
        "--out",
        "s.csv",
        "--report",
        "p.html",
    ]
    run = subprocess.Popen(
        [sys.executable, "-m", "slad", "detect", str(table), *words],
        cwd=tmp_path,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    for line in run.stderr:
        if "learning" in line:
            break
    time.sleep(1.0)  # into the training, where a first Ctrl-C is asked to wait for the step
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert run.returncode == 130, said
    assert "interrupted" in said
    assert left(tmp_path) == {"orders.csv"}
