"""Files: what is read, and what is said about files that cannot be."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from small_tables import TABLE, refusal, text_file

from slad.tables import read, write


def test_codes_of_digits_stay_text_where_the_model_says_so(tmp_path: Path) -> None:
    types = {"code": pa.string()}
    for name, content in (("t.csv", "code,x\n007,1\n"), ("t.jsonl", '{"code": "007", "x": 1}\n')):
        frame = read(text_file(tmp_path, content, name), types=types).frame
        assert frame.column("code").to_pylist() == ["007"]
    dated = read(text_file(tmp_path, "code\n2025-01-01\n"), types=types).frame
    assert dated.column("code").to_pylist() == ["2025-01-01"]


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.csv.gz", "t.csv.zst", "t.csv.xz"])
@pytest.mark.parametrize("kept", [0.5, 0.97])
def test_a_file_cut_short_is_said(tmp_path: Path, name: str, kept: float) -> None:
    write(TABLE, tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: int(kept * len(whole))])
    assert "cut short" in refusal(tmp_path / name)


@pytest.mark.parametrize("name", ["t.parquet", "t.feather", "t.csv.gz", "t.jsonl"])
def test_an_empty_file_is_said(tmp_path: Path, name: str) -> None:
    assert "t." in refusal(text_file(tmp_path, b"", name))


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.feather", "t.jsonl", "t.csv.gz"])
def test_stdin_is_read_whatever_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write(pa.table({"a": [1, 2], "b": ["x", None]}), tmp_path / name)
    data = io.TextIOWrapper(io.BytesIO((tmp_path / name).read_bytes()))
    monkeypatch.setattr(sys, "stdin", data)
    loaded = read("-")
    assert loaded.frame.to_pydict() == {"a": [1, 2], "b": ["x", None]}
    assert loaded.name == "stdin"
