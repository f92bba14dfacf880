"""benchmarks/default.py runs, and its record says what was timed."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

EPOCHS = {"slad-released": {"epochs": 1}}


def test_every_contender_is_timed_and_the_record_names_no_place(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    default = importlib.import_module("default")
    make = default.registry.make
    monkeypatch.setattr(
        default.registry,
        "make",
        lambda name, **settings: make(name, **settings | EPOCHS.get(name, {})),
    )
    default.main(["--small", "--repeats", "1", "--results", str(tmp_path)])
    record = json.loads((tmp_path / "default-cpu.json").read_text())
    [shape] = record["result"]["shapes"]
    assert set(shape["seconds"]) == set(default.CONTENDERS)
    assert all(each["fit"] > 0 for each in shape["seconds"].values())
    assert "200 x 4: neighbor-scale" in capsys.readouterr().out
    assert str(tmp_path) not in record["environment"]["command"]
