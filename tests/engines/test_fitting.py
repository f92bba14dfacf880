"""Fitting from a stream: as good as in memory, and killed at any time it goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from made_up_shards import mixed_table, numbers_table, written
from sklearn.metrics import roc_auc_score

from slad.core.errors import ConfigError, DataError
from slad.engines import checkpoint as checkpoints
from slad.engines.fitting import fit_files
from slad.engines.sampling import sample_rows
from slad.engines.shards import ParquetTable
from slad.model import TableDetector
from slad.tables import read


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def model_of(**parameters) -> TableDetector:
    return TableDetector(
        "slad", parameters={"epochs": 3, **parameters}, calibration="split", device="cpu"
    )


def strange_rows(count: int) -> tuple[pa.Table, np.ndarray]:
    """Normal rows, and as many whose columns no longer go together."""
    normal, other = numbers_table(count, 5), numbers_table(count, 6)
    mixed = other.set_column(0, "x", normal["x"])
    return pa.concat_tables([normal, mixed]), np.repeat([0, 1], count)


@pytest.mark.parametrize("row_sampling", ["bootstrap", "all"])
def test_a_stream_teaches_what_the_table_in_memory_does(tmp_path, row_sampling):
    folder = written(tmp_path, numbers_table(2500), files=3, group=300)
    parameters = {"row_sampling": row_sampling, "n_groups": 8}
    streamed = fit_files(model_of(**parameters), files_of(folder))
    memory = model_of(**parameters).fit(read(folder))
    rows, strange = strange_rows(400)
    aucs = [roc_auc_score(strange, model.anomaly_score(rows)) for model in (streamed, memory)]
    assert min(aucs) > 0.9
    assert abs(aucs[0] - aucs[1]) < 0.01
    assert streamed.plan_ == memory.plan_
    assert len(streamed.calibration_) == len(memory.calibration_)


def test_a_streamed_model_of_a_mixed_table_is_whole(tmp_path):
    folder = written(tmp_path / "in", mixed_table(700), files=2, group=100)
    model = fit_files(model_of(n_members=2), files_of(folder))
    model.save(tmp_path / "m.slad")
    rows = mixed_table(50, 9)
    again = TableDetector.load(tmp_path / "m.slad", device="cpu")
    np.testing.assert_allclose(again.anomaly_score(rows), model.anomaly_score(rows))
    assert model.training_["rows"] == 700
    assert again.explain(rows, [0])[0].values
    assert len(model.history()["loss"]) == 3


def test_texts_of_dates_stay_text_and_a_note_says_so(tmp_path):
    days = pa.array([f"2024-01-{1 + day % 28:02d}" for day in range(300)])
    table = numbers_table(300).append_column("day", days)
    model = fit_files(model_of(), files_of(written(tmp_path, table, files=1, group=100)))
    assert next(column.kind for column in model.plan_ if column.name == "day") == "category"
    assert model.notes_ == [
        "day: holds dates, but is read as text: a stream takes types from the files"
    ]
    assert np.isfinite(model.anomaly_score(table.slice(0, 5))).all()


@pytest.mark.gpu
def test_a_stream_teaches_a_gpu_as_well(tmp_path):
    files = files_of(written(tmp_path, numbers_table(2500), files=3, group=300))
    rows, strange = strange_rows(400)
    aucs = [
        roc_auc_score(
            strange, fit_files(model_of().set_params(device=kind), files).anomaly_score(rows)
        )
        for kind in ("cpu", "cuda")
    ]
    assert abs(aucs[0] - aucs[1]) < 0.01


class Killed(Exception):
    pass


def killed(folder: Path, path: Path, model: TableDetector, monkeypatch, writes: int) -> None:
    """Fit, and die after so many checkpoints."""
    write, so_far = checkpoints.write_artifact, []

    def write_and_die(*what) -> None:
        write(*what)
        so_far.append(what)
        if len(so_far) == writes:
            raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints, "write_artifact", write_and_die)
        with pytest.raises(Killed):
            fit_files(model, files_of(folder), checkpoint=path)


@pytest.mark.parametrize("every", [60.0, 0.0])
def test_a_fit_that_was_killed_goes_on_and_ends_with_the_same_model(tmp_path, monkeypatch, every):
    """At the end of an epoch, and in the middle of one."""
    monkeypatch.setattr(checkpoints, "EVERY", every)
    monkeypatch.setattr(
        "slad.detectors.slad.objective.WINDOW_BYTES", {"cpu": 128 * 10 * 128 * 4 * 3}
    )
    monkeypatch.setattr("slad.engines.fitting.BUFFER_ROWS", 300)
    folder = written(tmp_path / "in", numbers_table(1200), files=2, group=100)
    whole = fit_files(model_of(n_groups=6), files_of(folder))
    path = tmp_path / "m.checkpoint"
    killed(folder, path, model_of(n_groups=6), monkeypatch, writes=2)
    said: list[str] = []
    resumed = fit_files(model_of(n_groups=6), files_of(folder), checkpoint=path, say=said.append)
    assert any("resuming from epoch" in line for line in said)
    rows = numbers_table(100, 3)
    np.testing.assert_array_equal(resumed.anomaly_score(rows), whole.anomaly_score(rows))
    assert resumed.history() == whole.history()


def test_a_checkpoint_of_another_job_is_refused_with_what_differs(tmp_path, monkeypatch):
    folder = written(tmp_path / "in", numbers_table(600), files=2, group=100)
    path = tmp_path / "m.checkpoint"
    killed(folder, path, model_of(), monkeypatch, writes=1)
    with pytest.raises(
        ConfigError, match="belongs to another job: parameters epochs was 3 and is 4"
    ):
        fit_files(model_of(epochs=4), files_of(folder), checkpoint=path)
    with pytest.raises(ConfigError, match="belongs to another job: seed was 0 and is 7"):
        fit_files(model_of().set_params(random_state=7), files_of(folder), checkpoint=path)
    written(folder, numbers_table(500), files=2, group=100)
    with pytest.raises(
        ConfigError, match=r"belongs to another job: files .*00\.parquet was \d+ and is \d+"
    ):
        fit_files(model_of(), files_of(folder), checkpoint=path)


def test_what_a_stream_cannot_do_is_said(tmp_path):
    files = files_of(written(tmp_path, numbers_table(200), files=1, group=100))
    with pytest.raises(ConfigError, match="knn-5 cannot learn from a stream of rows"):
        fit_files(TableDetector("knn-5"), files)
    with pytest.raises(ConfigError, match="holds out one part of the rows"):
        fit_files(TableDetector("slad", calibration="cross"), files)
    few = files_of(written(tmp_path / "few", numbers_table(5), files=1, group=100))
    with pytest.raises(DataError, match=r"00\.parquet has 5 rows; at least 10 are needed"):
        fit_files(model_of(), few)


def test_a_sample_holds_rows_of_the_table_in_its_order_and_says_how_many(tmp_path):
    files = files_of(written(tmp_path, numbers_table(300), files=3, group=40))
    sample = sample_rows(ParquetTable.open(files), 50, seed=0)
    everything = read(tmp_path).frame["x"].to_pylist()
    places = [everything.index(value) for value in sample.frame["x"].to_pylist()]
    assert places == sorted(places)
    assert len(set(places)) == 50
    assert str(sample.notes[-1]) == "learned from a random 50 of 300 rows"
