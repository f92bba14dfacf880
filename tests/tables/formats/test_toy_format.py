"""A file format that is registered in one place is read, written, streamed and scored."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import ConfigError, DataError  # noqa: E402
from slad.engines.scorer import BatchScorer  # noqa: E402
from slad.engines.streaming import stream_scores  # noqa: E402
from slad.model import TableDetector  # noqa: E402
from slad.tables import read, write  # noqa: E402
from slad.tables.formats import FORMATS, Format  # noqa: E402
from slad.tables.formats.format import starts_with  # noqa: E402
from slad.tables.formats.text_bytes import bytes_of  # noqa: E402
from slad.tables.loaded import Note  # noqa: E402

SIGN = b"#pairs\n"
STREAMED: list[Path] = []


def read_pairs(
    source: bytes | Path, where: str, types: dict[str, pa.DataType]
) -> tuple[pa.Table, list[Note]]:
    """Lines such as a=1 b=2.5."""
    lines = bytes_of(source).removeprefix(SIGN).decode().splitlines()
    rows = [dict(pair.split("=") for pair in line.split()) for line in lines]
    columns = {name: [float(row[name]) for row in rows] for name in rows[0]}
    return pa.table(columns), [Note(None, "pairs")]


def write_pairs(frame: pa.Table, file: IO[bytes], ending: str) -> None:
    file.write(SIGN)
    for row in frame.to_pylist():
        file.write((" ".join(f"{name}={value}" for name, value in row.items()) + "\n").encode())


def stream_pairs(path: Path, rows: int, columns: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
    STREAMED.append(path)
    frame, _ = read_pairs(path, str(path), {})
    yield from frame.select(columns or frame.column_names).to_batches(max_chunksize=7)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line of the registry that a format takes."""
    pairs = Format(
        "pairs", (".pairs",), read_pairs, write_pairs, stream_pairs, begins=starts_with(SIGN)
    )
    monkeypatch.setitem(FORMATS, pairs.name, pairs)
    STREAMED.clear()


@pytest.fixture
def table() -> pa.Table:
    rng = np.random.default_rng(0)
    return pa.table({"a": rng.normal(size=120), "b": rng.normal(size=120)})


@pytest.mark.parametrize("name", ["t.pairs", "t.PAIRS.gz"])
def test_it_is_written_and_read_back(tmp_path: Path, table: pa.Table, name: str) -> None:
    write(table, tmp_path / name)
    loaded = read(tmp_path / name)
    assert loaded.frame.equals(table)
    assert [str(note) for note in loaded.notes] == ["pairs"]


def test_it_is_read_from_stdin(
    tmp_path: Path, table: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(table, tmp_path / "t.pairs")
    stdin = io.TextIOWrapper(io.BytesIO((tmp_path / "t.pairs").read_bytes()))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert read("-").frame.equals(table)


def test_patterns_and_messages_know_it(tmp_path: Path, table: pa.Table) -> None:
    for name in ("1.pairs", "2.pairs"):
        write(table, tmp_path / name)
    assert read(tmp_path / "*.pairs").frame.num_rows == 240
    (tmp_path / "t.unknown").touch()
    with pytest.raises(DataError, match=r"Known endings: .*\.pairs"):
        read(tmp_path / "t.unknown")


def test_it_is_streamed(tmp_path: Path, table: pa.Table) -> None:
    write(table, tmp_path / "t.pairs")
    model = TableDetector("knn-5", random_state=0).fit(tmp_path / "t.pairs")
    (scored,) = stream_scores(BatchScorer(model), [tmp_path / "t.pairs"], tmp_path / "out")
    assert scored.rows == 120
    assert [tmp_path / "t.pairs"] == STREAMED
    scores = read(tmp_path / "out" / "t.parquet").frame.column("score").to_numpy()
    assert np.array_equal(scores, model.judge(table).scores)


def test_a_format_that_is_only_read_is_refused_for_writing(
    tmp_path: Path, table: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMATS, "pairs", Format("pairs", (".pairs",), read_pairs))
    with pytest.raises(ConfigError, match=r"pairs files are only read; use a name that ends in"):
        write(table, tmp_path / "t.pairs")
