"""`slad score --engine`: the same command on another engine, and clear words where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
import rows
from pyarrow import parquet

from slad.cli import main
from slad.core.errors import ConfigError, DataError
from slad.engines import jobs, sent_model
from slad.engines.jobs import score_with
from slad.model import TableDetector


@pytest.fixture(scope="module")
def model():
    return rows.fitted()


def test_an_engine_writes_a_folder_and_so_needs_one(model, tmp_path, capsys):
    model.save(tmp_path / "m.slad")
    code = main(["score", str(tmp_path / "m.slad"), str(tmp_path), "--engine", "dask"])
    assert code == 2
    assert "--engine dask needs an output folder; use --out scores/" in capsys.readouterr().err


@pytest.fixture
def everything_installed(monkeypatch):
    """Engines seem to be installed: these jobs are refused before one starts."""
    monkeypatch.setattr(jobs, "find_spec", lambda name: object())


def test_a_folder_that_is_there_is_not_written_into(tmp_path, everything_installed):
    (tmp_path / "out").mkdir()
    folder = rows.files(tmp_path / "in", count=1, rows=20)
    with pytest.raises(ConfigError, match="out exists already, and --engine dask writes a new"):
        score_with("dask", tmp_path / "m.slad", str(folder), str(tmp_path / "out"))


@pytest.mark.parametrize("engine", jobs.ENGINES)
def test_an_engine_that_is_not_installed_says_how_to_get_it(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "find_spec", lambda name: None)
    wanted = rf"{engine.capitalize()} is not installed: pip install 'slad\[{engine}\]'"
    with pytest.raises(ConfigError, match=wanted):
        score_with(engine, tmp_path / "m.slad", str(tmp_path), str(tmp_path / "out"))


def test_spark_without_java_says_so_before_it_starts(tmp_path, monkeypatch, everything_installed):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ConfigError, match="no java on this machine: install Java 17 or newer"):
        score_with("spark", tmp_path / "m.slad", str(tmp_path), str(tmp_path / "out"))


def test_an_engine_reads_parquet_and_says_what_is_none(tmp_path, everything_installed):
    (tmp_path / "orders.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ConfigError, match=r"reads Parquet, and .*orders\.csv is not Parquet"):
        score_with("ray", tmp_path / "m.slad", str(tmp_path / "orders.csv"), str(tmp_path / "out"))
    with pytest.raises(DataError, match="nowhere"):
        score_with("ray", tmp_path / "m.slad", str(tmp_path / "nowhere"), str(tmp_path / "out"))


def test_a_job_that_fails_leaves_nothing_under_the_name(model, tmp_path, monkeypatch):
    def broken(model: Path, source: str, out: str, id: str | None) -> int:
        Path(out).mkdir()
        raise RuntimeError("in the middle")

    monkeypatch.setitem(jobs.ENGINES, "dask", broken)
    monkeypatch.setattr(jobs, "find_spec", lambda name: object())
    folder = rows.files(tmp_path / "in", count=1, rows=20)
    with pytest.raises(RuntimeError, match="in the middle"):
        score_with("dask", tmp_path / "m.slad", str(folder), str(tmp_path / "out"))
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")
def test_the_command_scores_a_folder_with_dask_and_loads_its_model_once(
    model, tmp_path, capsys, monkeypatch
):
    pytest.importorskip("dask.dataframe", reason="pip install 'slad[dask]'")
    sent_model._load.cache_clear()  # another test may have sent the same model
    loads, load = [], TableDetector.load.__func__
    monkeypatch.setattr(
        TableDetector,
        "load",
        classmethod(lambda cls, *given, **named: loads.append(given) or load(cls, *given, **named)),
    )
    model.save(tmp_path / "m.slad")
    folder = rows.files(tmp_path / "in", count=2, rows=300)
    out = tmp_path / "out"
    words = ["score", str(tmp_path / "m.slad"), str(folder), "--engine", "dask", "--out", str(out)]
    assert main(words) == 0
    assert "600 rows scored with dask" in capsys.readouterr().out
    assert len(loads) == 1
    scores = parquet.read_table(out)
    here = rows.expected(model, folder)
    assert dict(
        zip(scores["order"].to_pylist(), scores["score"].to_pylist(), strict=True)
    ) == pytest.approx(here, abs=1e-6)
