"""Arrow files and Arrow streams, which share their endings."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pytest

from slad.core.errors import DataError
from slad.tables.formats.feather import FEATHER, read_feather, write_feather

TABLE = pa.table({"a": [1, None], "b": ["x", "y"]})


def as_stream() -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, TABLE.schema) as stream:
        stream.write_table(TABLE)
    return sink.getvalue().to_pybytes()


def as_file() -> bytes:
    sink = io.BytesIO()
    write_feather(TABLE, sink, ".arrow")
    return sink.getvalue()


@pytest.mark.parametrize("data", [as_stream(), as_file()], ids=["stream", "file"])
def test_files_and_streams_are_read_from_bytes_and_from_paths(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.arrow"
    path.write_bytes(data)
    for source in (data, path):
        frame, notes = read_feather(source, "here", {})
        assert frame.equals(TABLE)
        assert notes == []
    assert FEATHER.begins(data)


def test_what_is_written_is_an_arrow_file() -> None:
    with pa.ipc.open_file(pa.BufferReader(as_file())) as file:
        assert file.read_all().equals(TABLE)


@pytest.mark.parametrize("data", [b"neither", as_file()[:-20], as_stream()[:40]])
def test_anything_else_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.arrow"
    path.write_bytes(data)
    for source in (data, path):
        with pytest.raises(DataError, match="here is not a complete Feather file"):
            read_feather(source, "here", {})
