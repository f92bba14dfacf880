"""slad export: a model for another runtime."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from slad.cli import main
from slad.model import TableDetector

SMALL = {"n_groups": 4, "group_size": 5, "representation_dim": 16, "hidden_dim": 12, "epochs": 2}


def numbers(rows: int) -> pa.Table:
    """Numbers with gaps, a boolean and whole numbers."""
    rng = np.random.default_rng(0)
    gaps = pa.array(rng.normal(0, 1, rows), mask=rng.random(rows) < 0.1)
    whole, flag = rng.integers(0, 50, rows), rng.random(rows) < 0.3
    return pa.table({"a": rng.normal(10, 2, rows), "gaps": gaps, "flag": flag, "whole": whole})


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")
def test_the_command_writes_a_graph_and_says_how_near_it_is(tmp_path, capsys):
    pytest.importorskip("onnx", reason="pip install 'slad[onnx]'")
    pytest.importorskip("onnxruntime", reason="pip install 'slad[onnx]'")
    TableDetector("slad", parameters=SMALL).fit(numbers(300)).save(tmp_path / "m.slad")
    words = ["export", str(tmp_path / "m.slad"), "--onnx", str(tmp_path / "m.onnx")]
    assert main(words) == 0
    assert "scores differ from the model's by" in capsys.readouterr().out
    assert (tmp_path / "m.onnx").stat().st_size > 1000
    assert main(words[:2]) == 2
    assert "--onnx orders.onnx" in capsys.readouterr().err


def test_a_graph_needs_a_file_to_go_to(slad, model):
    done = slad("export", model)
    assert done.code == 2
    assert "--onnx FILE is required: the file for the graph, as --onnx orders.onnx" in done.err


@pytest.mark.parametrize(
    ("name", "message"),
    [("m.slad", "would overwrite"), ("nowhere/m.onnx", "the folder nowhere does not exist")],
)
def test_a_graph_that_cannot_be_written_is_an_error_before_the_work(slad, model, name, message):
    before = model.read_bytes()
    done = slad("export", model, "--onnx", name)
    assert done.code == 2
    assert message in done.err
    assert model.read_bytes() == before
