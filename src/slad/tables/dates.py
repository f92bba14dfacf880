"""Text columns of dates become times, where the dates can be read in one way only.

The format is kept in the metadata of the column's field and in the plan: 03/04/2025 alone does not
say which is the month, but the other dates of the training table may.
"""

from __future__ import annotations

import re
from collections.abc import Container

import pyarrow as pa
import pyarrow.types as kind
from pyarrow import compute as pc

from slad.tables.loaded import Note

FORMAT_KEY = b"slad.format"

_DATES = (
    (r"\d{4}/\d{1,2}/\d{1,2}", ("%Y/%m/%d",)),
    (r"\d{1,2}\.\d{1,2}\.\d{4}", ("%d.%m.%Y",)),
    (r"\d{1,2}/\d{1,2}/\d{4}", ("%d/%m/%Y", "%m/%d/%Y")),
    (r"\d{1,2}-\d{1,2}-\d{4}", ("%d-%m-%Y", "%m-%d-%Y")),
    (r"\d{1,2} [A-Za-z]{3,9} \d{4}", ("%d %b %Y",)),
    (r"\d{1,2}-[A-Za-z]{3}-\d{4}", ("%d-%b-%Y",)),
    (r"[A-Za-z]{3,9} \d{1,2}, \d{4}", ("%b %d, %Y",)),
    (r"[A-Za-z]{3,9} \d{1,2} \d{4}", ("%b %d %Y",)),
)
_TIMES = (
    ("", ""),
    (r"[ T]\d{1,2}:\d{2}", " %H:%M"),
    (r"[ T]\d{1,2}:\d{2}:\d{2}", " %H:%M:%S"),
    (r" \d{1,2}:\d{2} ?[AaPp][Mm]", " %I:%M %p"),
    (r" \d{1,2}:\d{2}:\d{2} ?[AaPp][Mm]", " %I:%M:%S %p"),
)
FORMS = tuple(
    (f"{date}{time}", tuple(f"{each}{clock}" for each in formats))
    for date, formats in _DATES
    for time, clock in _TIMES
)
"""(pattern, possible formats). Texts that match a pattern have years of four digits."""


_ISO = r"\d{4}-\d{2}-\d{2}"
_ISO_FORMS = (
    (_ISO, pa.date32()),
    (_ISO + r"[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?", pa.timestamp("us")),
    (_ISO + r"[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})", pa.timestamp("us", "UTC")),
)
ISO_TIME = f"^(?:{'|'.join(pattern for pattern, _ in _ISO_FORMS)})$"


def parse_dates(frame: pa.Table, texts: Container[str] = ()) -> tuple[pa.Table, list[Note]]:
    """The table with text columns of dates turned into times, except for those in `texts`."""
    notes = []
    for at, field in enumerate(frame.schema):
        column = frame.column(at)
        if field.name in texts or not kind.is_string(field.type):
            continue
        if (iso := _from_iso(column)) is not None:
            frame = frame.set_column(at, field.name, iso)
            continue
        found = _formats(column)
        if len(found) > 1:
            text = "kept as text: day or month first? Write dates as 2025-12-31"
            notes.append(Note(field.name, text))
        elif found:
            parsed = parse_as(column, found[0])
            metadata = {FORMAT_KEY: found[0].encode()}
            frame = frame.set_column(at, pa.field(field.name, parsed.type, True, metadata), parsed)
            notes.append(Note(field.name, f"dates read as {found[0]}"))
    return frame, notes


def parse_as(column: pa.ChunkedArray, format_: str) -> pa.ChunkedArray:
    """Texts as times of this format; null where a text does not fit."""
    texts = _spaced(column)
    parsed = pc.strptime(texts, format=format_, unit="s", error_is_null=True)
    # strptime takes the 30th of February for the 2nd of March.
    day = pc.struct_field(pc.extract_regex(texts, _day_pattern(format_)), "day").cast(pa.int64())
    parsed = pc.if_else(pc.equal(pc.day(parsed), day), parsed, pa.scalar(None, parsed.type))
    return parsed if "%H" in format_ or "%I" in format_ else parsed.cast(pa.date32())


def _day_pattern(format_: str) -> str:
    """A pattern whose group "day" is the day of the month as written.

    >>> _day_pattern("%b %d, %Y %H:%M")
    '^[A-Za-z]+ (?P<day>\\\\d{1,2}), '
    """
    before, _, after = format_.partition("%d")
    parts = {"%Y": r"\d{4}", "%m": r"\d{1,2}", "%b": "[A-Za-z]+", ".": r"\."}
    for part, pattern in parts.items():
        before = before.replace(part, pattern)
    return f"^{before}(?P<day>\\d{{1,2}}){re.sub('%.*', '', after)}"


def _from_iso(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Times, where every cell is ISO 8601 in one form: all cells with a zone, or none."""
    first = _first(column)
    for pattern, type_ in _ISO_FORMS:
        if re.fullmatch(pattern, first) and _all_match(column, pattern):
            try:
                return column.cast(type_)
            except pa.ArrowInvalid:  # a 13th month
                return None
    return None


def _first(column: pa.ChunkedArray) -> str:
    filled = column.drop_null()
    return filled[0].as_py() if len(filled) else ""


def _all_match(column: pa.ChunkedArray, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(column, f"^(?:{pattern})$")).as_py())


def _formats(column: pa.ChunkedArray) -> list[str]:
    """The formats in which every cell of the column is a date."""
    first = _first(column)
    for pattern, formats in FORMS:
        if re.fullmatch(pattern, first) and _all_match(column, pattern):
            return [each for each in formats if _fits(column, each)]
    return []


def _fits(column: pa.ChunkedArray, format_: str) -> bool:
    return bool(parse_as(column, format_).null_count == column.null_count)


def _spaced(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """One space between date and time: strptime takes a "T" or a missing space literally."""
    column = pc.replace_substring_regex(column, r"(\d)T(\d)", r"\1 \2")
    return pc.replace_substring_regex(column, r"(\d)([AaPp][Mm])$", r"\1 \2")
