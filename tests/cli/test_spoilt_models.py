"""A model file that is altered is refused, or scores as before."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from order_tables import orders, write_csv

from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError
from slad.model import TableDetector


def test_a_model_of_another_version_is_refused_with_the_way_out(slad, model, table):
    description, arrays = read_artifact(model)
    description["slad_version"] = "9.9"
    del description["calibration"]
    write_artifact(model, description, arrays)
    done = slad("score", model, table, "--out", "s.csv")
    assert done.code == 1
    assert "written by slad 9.9" in done.err
    assert "fit again" in done.err
    assert not Path("s.csv").exists()


@pytest.mark.parametrize("kept", [0, 7, 500, -1])
def test_a_model_cut_short_is_refused(slad, model, table, kept):
    model.write_bytes(model.read_bytes()[:kept])
    done = slad("score", model, table, "--out", "s.csv")
    assert done.code == 1
    assert "not a complete slad model" in done.err
    assert not Path("s.csv").exists()


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> tuple[Path, bytes, list[float]]:
    folder = tmp_path_factory.mktemp("saved")
    normal = write_csv(folder / "normal.csv", orders(seed=1, strange=False)[:40])
    model = TableDetector("ecod", rule="top", level=1, id="order").fit(normal)
    model.save(folder / "m.slad")
    scores = TableDetector.load(folder / "m.slad").anomaly_score(normal).tolist()
    return normal, (folder / "m.slad").read_bytes(), scores


@settings(max_examples=60)
@given(data=st.data())
def test_a_spoilt_model_is_refused_or_scores_as_before(saved, data, tmp_path):
    normal, whole, scores = saved
    spoilt = bytearray(whole)
    if data.draw(st.booleans(), label="cut"):
        del spoilt[data.draw(st.integers(0, len(whole) - 1), label="length") :]
    else:
        header = data.draw(st.booleans(), label="in the header")
        most = min(4000, len(whole)) if header else len(whole)
        for _ in range(data.draw(st.integers(1, 3))):
            spoilt[data.draw(st.integers(0, most - 1))] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "spoilt.slad"
    path.write_bytes(spoilt)
    try:
        model = TableDetector.load(path)
    except ArtifactError:
        return
    assert model.anomaly_score(normal).tolist() == scores
