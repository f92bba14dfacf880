"""`slad score --engine`: the same command on another engine, and clear words where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
import rows

from slad.core.errors import ConfigError, DataError
from slad.engines import jobs
from slad.engines.jobs import score_with


@pytest.fixture(scope="module")
def model():
    return rows.fitted()


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
