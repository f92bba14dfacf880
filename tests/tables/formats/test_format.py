"""The errors of file formats, and the signs they begin with."""

from __future__ import annotations

import pyarrow as pa

from slad.tables.formats.format import Format, incomplete, starts_with


def test_the_error_gives_the_first_line_of_the_reason_and_no_more() -> None:
    said = str(incomplete("t.parquet", "Parquet", ValueError(f"\n{'x' * 300}\nand a trace")))
    assert said.startswith(f"t.parquet is not a complete Parquet file ({'x' * 200}): ")
    assert "trace" not in said


def test_an_error_without_a_reason_has_no_empty_brackets() -> None:
    said = str(incomplete("t.parquet", "Parquet", OSError(" ")))
    assert said.startswith("t.parquet is not a complete Parquet file: ")


def test_one_sign_of_several_is_enough() -> None:
    begins = starts_with(b"AB", b"\xff")
    assert begins(b"ABC")
    assert begins(b"\xff")
    assert not any(begins(data) for data in (b"A", b"", b"xAB"))


def test_a_format_without_a_sign_claims_no_bytes() -> None:
    plain = Format("plain", (".p",), lambda source, where, types: (pa.table({}), []))
    assert not plain.begins(b"")
    assert not plain.begins(b"anything")
