"""A saved model on Dask: the same scores, in the same order."""

from __future__ import annotations

import loads
import pytest
import rows

frames = pytest.importorskip("dask.dataframe", reason="pip install 'slad[dask]'")

from slad.engines import dask  # noqa: E402

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]


def test_dask_gives_the_scores_of_this_process(tmp_path):
    model = rows.fitted()
    model.save(tmp_path / "m.slad")
    folder = rows.files(tmp_path / "in")
    lazy = dask.score(tmp_path / "m.slad", frames.read_parquet(str(folder)))
    assert list(lazy.columns) == ["order", "score", "error", "pvalue", "decision"]
    found = lazy.compute(scheduler="synchronous")
    here = rows.expected(model, folder)
    assert len(found) == len(here)
    assert dict(zip(found["order"], found["score"], strict=True)) == pytest.approx(here, abs=1e-6)


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_every_process_loads_the_model_once(tmp_path, scheduler):
    rows.fitted().save(tmp_path / "m.slad")
    folder, log = rows.files(tmp_path / "in", count=8, rows=300), tmp_path / "log"
    frame = frames.read_parquet(str(folder), split_row_groups=True)
    lazy = dask.score(tmp_path / "m.slad", frame, scorer=loads.counting(log))
    assert len(lazy.compute(scheduler=scheduler, num_workers=4)) == 2400
    assert sum(loads.counted(log, "batch").values()) >= 8
    assert set(loads.counted(log, "batch")) <= set(loads.counted(log, "load"))
    assert set(loads.counted(log, "load").values()) == {1}
