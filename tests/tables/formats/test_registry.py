"""The format of a file, by its name or by its bytes."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import PurePath

import pyarrow as pa
import pytest

from slad.tables.formats import FORMATS, endings, of_bytes, of_name


@pytest.mark.parametrize(
    ("name", "format_", "packed"),
    [
        ("t.csv", "CSV", None),
        ("t.TSV.GZ", "CSV", ".gz"),
        ("my.data.v2.parquet", "Parquet", None),
        ("t.json.bz2", "JSON lines", ".bz2"),
        ("t.ipc", "Feather", None),
        ("t.gz", None, ".gz"),
        ("t.gz.csv", "CSV", None),
        ("t.csv.bak", None, None),
        ("csv", None, None),
        (".csv", None, None),
    ],
)
def test_the_last_ending_below_the_compression_is_the_format(
    name: str, format_: str | None, packed: str | None
) -> None:
    found, compression = of_name(PurePath("folder.parquet") / name)
    assert (found and found.name, compression) == (format_, packed)


def test_no_two_formats_share_an_ending_and_all_are_lower_case() -> None:
    every = [ending for each in FORMATS.values() for ending in each.endings]
    assert len(every) == len(set(every)) == len(endings())
    assert all(ending == ending.lower() and ending.startswith(".") for ending in every)


def test_endings_for_writing_leave_out_formats_that_are_only_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(FORMATS, "Parquet", replace(FORMATS["Parquet"], write=None))
    assert ".parquet" in endings()
    assert ".parquet" not in endings(written=True)
    assert ".csv" in endings(written=True)


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_writes_is_known_by_its_bytes_and_read_back(name: str) -> None:
    table, file = pa.table({"a": [1, 2], "b": ["x", "y"]}), io.BytesIO()
    FORMATS[name].write(table, file, FORMATS[name].endings[0])
    assert of_bytes(file.getvalue()) is FORMATS[name]
    assert FORMATS[name].read(file.getvalue(), "here", {})[0].equals(table)


@pytest.mark.parametrize("data", [b"", b"anything", b"\0\1"])
def test_bytes_that_are_not_clear_are_csv(data: bytes) -> None:
    assert of_bytes(data).name == "CSV"
