"""Texts of dates become times where there is one way to read them."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from small_tables import column, text_file

from slad.tables import read
from slad.tables.dates import FORMAT_KEY, parse_as, parse_dates


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("31/12/2025", "01/02/2025", date(2025, 2, 1)),
        ("12/31/2025", "01/02/2025", date(2025, 1, 2)),
        ("31.12.2025", "1.2.2025", date(2025, 2, 1)),
        ("2025/12/31", "2025/2/1", date(2025, 2, 1)),
        ("31 Dec 2025", "1 February 2025", date(2025, 2, 1)),
        ("31-Dec-2025", "01-Feb-2025", date(2025, 2, 1)),
        ("Dec 31, 2025", "Feb 1, 2025", date(2025, 2, 1)),
        ("12/31/2025 1:05 PM", "01/02/2025 3:04PM", datetime(2025, 1, 2, 15, 4)),
        ("31.12.2025 10:00", "01.02.2025 11:30", datetime(2025, 2, 1, 11, 30)),
        ("2025-12-31", "2025-02-01", date(2025, 2, 1)),
        ("2025-12-31T10:00:00", "2025-02-01 11:00:00", datetime(2025, 2, 1, 11)),
    ],
)
def test_dates_with_one_reading_are_read(
    tmp_path: Path, first: str, second: str, expected: date
) -> None:
    frame = read(text_file(tmp_path, f"n;d\n1;{first}\n2;\n3;{second}\n")).frame
    assert frame.column("d")[2].as_py() == expected
    assert frame.column("d").null_count == 1


def test_a_date_with_two_readings_stays_text_and_is_said(tmp_path: Path) -> None:
    loaded = read(text_file(tmp_path, "d\n01/02/2025\n03/04/2025\n"))
    assert pa.types.is_string(loaded.frame.schema.field("d").type)
    assert "day or month first" in loaded.notes[0].text


def test_seconds_since_1970_stay_numbers(tmp_path: Path) -> None:
    frame = read(text_file(tmp_path, "t\n1700000000\n1700000001\n")).frame
    assert pa.types.is_integer(frame.schema.field("t").type)


def test_text_columns_of_dates_become_times_wherever_they_come_from() -> None:
    frame = pa.table({"d": ["2025-01-31T10:00:00Z", None], "bad": ["2025-13-01", "2025-01-01"]})
    loaded = read(frame).frame
    assert str(loaded.schema.field("d").type) == "timestamp[us, tz=UTC]"
    assert loaded.column("bad").to_pylist() == ["2025-13-01", "2025-01-01"]


def test_the_format_that_was_found_is_kept_with_the_column_and_said() -> None:
    frame, notes = parse_dates(pa.table({"d": ["12/31/2025", None]}))
    assert frame.column("d").to_pylist() == [date(2025, 12, 31), None]
    assert frame.schema.field("d").metadata == {FORMAT_KEY: b"%m/%d/%Y"}
    assert [str(note) for note in notes] == ["d: dates read as %m/%d/%Y"]


def test_columns_that_have_to_be_text_stay_text() -> None:
    frame = pa.table({"d": ["2025-12-31"], "e": ["31.12.2025"]})
    parsed, notes = parse_dates(frame, ["d", "e"])
    assert parsed.equals(frame)
    assert notes == []


@pytest.mark.parametrize(
    "cells",
    [
        ["31.13.2025"],
        ["30.02.2025"],
        ["04/31/2025"],
        ["Feb 29, 2025 10:00"],
        ["2025-02-30"],
        ["31.12.25"],
        ["31.12.2025", "soon"],
        ["31.12.2025", "31/12/2025"],
        ["2025-01-31T10:00:00Z", "2025-01-31T10:00:00"],
        ["2025-01-31 and more"],
        ["", "2025-01-31"],
        [None, None],
    ],
)
def test_what_is_not_one_form_of_date_in_every_cell_stays_text(cells: list[str | None]) -> None:
    frame = pa.table({"d": pa.array(cells, pa.string())})
    parsed, notes = parse_dates(frame)
    assert parsed.equals(frame)
    assert notes == []


def test_an_offset_is_taken_into_account() -> None:
    frame, _ = parse_dates(pa.table({"t": ["2025-01-01T00:30:00+02:00"]}))
    assert frame.column("t").cast(pa.int64()).to_pylist() == [1_735_684_200_000_000]


def test_a_text_that_does_not_fit_the_format_is_null() -> None:
    parsed = parse_as(column(["31/12/2025", "12/31/2025", None]), "%d/%m/%Y")
    assert parsed.to_pylist() == [date(2025, 12, 31), None, None]
    clock = parse_as(column(["1/2/2025T9:05", "1/2/2025"]), "%d/%m/%Y %H:%M")
    assert clock.to_pylist() == [datetime(2025, 2, 1, 9, 5), None]
