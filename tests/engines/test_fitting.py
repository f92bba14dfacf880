"""Fitting from a stream is as good as in memory."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from made_up_shards import files_of, mixed_table, model_of, numbers_table, strange_rows, written
from sklearn.metrics import roc_auc_score

from slad.core.errors import ConfigError, DataError
from slad.engines.fitting import fit_files
from slad.model import TableDetector
from slad.tables import read


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


def test_what_a_stream_cannot_do_is_said(tmp_path):
    files = files_of(written(tmp_path, numbers_table(200), files=1, group=100))
    with pytest.raises(ConfigError, match="knn-5 cannot learn from a stream of rows"):
        fit_files(TableDetector("knn-5"), files)
    with pytest.raises(ConfigError, match="holds out one part of the rows"):
        fit_files(TableDetector("slad", calibration="cross"), files)
    few = files_of(written(tmp_path / "few", numbers_table(5), files=1, group=100))
    with pytest.raises(DataError, match=r"00\.parquet has 5 rows; at least 10 are needed"):
        fit_files(model_of(), few)
