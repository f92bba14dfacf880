"""benchmarks/detect.py runs, and its record says what was timed."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_command_and_its_peers_are_timed_and_the_record_names_no_place(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    detect = importlib.import_module("detect")
    cases = ["orders", "wide", "score"]
    detect.main(["--small", "--repeats", "1", "--cases", *cases, "--results", str(tmp_path)])
    record = json.loads((tmp_path / "detect.json").read_text())
    rates = record["result"].pop("score")["rows_per_second"]
    assert set(rates) == {
        "isolation forest",
        "knn",
        "learned-signals",
        "learned-signals[clean=False]",
    }
    assert min(rates.values()) > 0
    assert set(record["result"]) == {"orders", "wide"}
    for found in record["result"].values():
        assert set(found["seconds"]) == {"slad", *detect.PEERS}
        assert found["megabytes"] > 0
        assert found["over_isolation_forest"] > 0
    assert "orders, 2,141 x 6: slad" in capsys.readouterr().out
    assert str(tmp_path) not in record["environment"]["command"]
