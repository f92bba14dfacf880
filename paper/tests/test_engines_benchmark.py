"""benchmarks/engines.py on few rows: every case measures, records and names no place."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are in the repository only")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("engines")


def recorded(bench, folder: Path, case: str, name: str, *words: str) -> dict:
    places = ["--results", str(folder), "--scratch", str(folder)]
    bench.main(["--cases", case, "--small", *words, *places])
    record = json.loads((folder / f"{name}.json").read_text())
    assert record["benchmark"] == case
    assert record["environment"]["command"].endswith("--results paper/results/speed --scratch DIR")
    assert str(folder) not in json.dumps(record)
    return record["result"]


def test_the_gpu_s_case_runs_on_any_device(bench, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.import_module("engines_gpu"), "FEATURES", (32,))
    found = recorded(bench, tmp_path, "gpu", "engines-cuda")
    for way in ("resident", "from_host", "streamed"):
        for each in found["32 features"][way].values():
            assert each["rows_per_second"] > 0
    assert "from_host" in capsys.readouterr().out


def test_without_pyarrow_the_gpu_s_case_leaves_files_out(bench, monkeypatch):
    gpu = importlib.import_module("engines_gpu")
    monkeypatch.setattr(gpu, "find_spec", lambda name: None)
    assert gpu.streamed(None, None, (), None) == {"left_out": "pyarrow is not installed"}


def test_engines_take_turns_and_passing_through_is_a_job_of_its_own(bench, tmp_path, capsys):
    found = recorded(bench, tmp_path, "engines", "engines-cpu", "--ways", "memory", "streamed")
    assert set(found["ways"]) == {"memory", "streamed"}
    for each in found["ways"].values():
        assert set(each["rows_per_second"]) == {"model", "pass_through"}
        assert each["peak_mb"] > 50  # an interpreter with torch
        assert each["own_share"] > 0
    assert found["core"]["score"] > 0
    assert "streamed" in capsys.readouterr().out


def test_many_files_go_through_the_command_with_rows_in_memory_between_them(bench, tmp_path):
    found = recorded(bench, tmp_path, "big", "engines-big-cpu")
    assert found["rows"] == 12_000
    assert len(found["seconds_a_row"]["streamed"]) == 4
    assert set(found["rows_per_second"]) == {"streamed", "memory", "memory_one_core"}


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")
def test_a_graph_is_timed_against_torch(bench, tmp_path):
    pytest.importorskip("onnx", reason="pip install 'slad[onnx]'")
    pytest.importorskip("onnxruntime", reason="pip install 'slad[onnx]'")
    found = recorded(bench, tmp_path, "onnx", "onnx-cpu")
    assert found["bytes"]["onnx"] > 1000
    assert set(found["seconds"]["1 threads"]["1 rows"]) == {"onnx", "judge", "anomaly_score"}


def test_the_memory_of_a_process_counts_what_it_started(bench):
    watched = importlib.import_module("watched")
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    hold = "held = bytearray(120 * 2**20); held[::4096] = b'1' * len(held[::4096]); input()"
    process = subprocess.Popen([sys.executable, "-c", code, hold], stdin=subprocess.PIPE, text=True)
    with watched.PeakMemory(process.pid) as peak:
        while peak.megabytes < 120 and process.poll() is None:
            pass
        process.communicate("\n")
    assert peak.megabytes >= 120
