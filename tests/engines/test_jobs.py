"""`slad score --engine`: the same command on another engine, and clear words where it cannot."""

from __future__ import annotations

import pytest
import rows
from pyarrow import parquet

from slad.cli import main
from slad.core.errors import ConfigError
from slad.engines.jobs import score_with


@pytest.fixture(scope="module")
def model():
    return rows.fitted()


def test_an_engine_writes_a_folder_and_so_needs_one(model, tmp_path, capsys):
    model.save(tmp_path / "m.slad")
    code = main(["score", str(tmp_path / "m.slad"), str(tmp_path), "--engine", "dask"])
    assert code == 2
    assert "--engine dask writes a folder: give one by --out" in capsys.readouterr().err


def test_a_folder_that_is_there_is_not_written_into(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(ConfigError, match="is there already"):
        score_with("dask", tmp_path / "m.slad", str(tmp_path), str(tmp_path / "out"))


def test_a_job_that_fails_leaves_nothing_under_the_name(model, tmp_path):
    pytest.importorskip("dask.dataframe", reason="pip install 'slad[dask]'")
    model.save(tmp_path / "m.slad")
    with pytest.raises(Exception, match="nowhere"):
        score_with("dask", tmp_path / "m.slad", str(tmp_path / "nowhere"), str(tmp_path / "out"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.slad"]


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")
def test_the_command_scores_a_folder_with_dask(model, tmp_path, capsys):
    pytest.importorskip("dask.dataframe", reason="pip install 'slad[dask]'")
    model.save(tmp_path / "m.slad")
    folder = rows.files(tmp_path / "in", count=2, rows=300)
    out = tmp_path / "out"
    words = ["score", str(tmp_path / "m.slad"), str(folder), "--engine", "dask", "--out", str(out)]
    assert main(words) == 0
    assert "600 rows scored with dask" in capsys.readouterr().out
    scores = parquet.read_table(out)
    here = rows.expected(model, folder)
    assert dict(
        zip(scores["order"].to_pylist(), scores["score"].to_pylist(), strict=True)
    ) == pytest.approx(here, abs=1e-6)
