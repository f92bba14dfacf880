"""The dialect of a delimited text: delimiter, column names, decimal sign."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from slad.core.errors import DataError

DELIMITERS = ",;\t|"
SAMPLE_BYTES = 2**18
SAMPLE_ROWS = 200

_UNUSUAL = {"^": "'^'", "~": "'~'", ":": "':'", "\x01": "the control sign 1", " ": "a space"}
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+")
_CODE = re.compile(r"0\d+")
_POINT_NUMBER = re.compile(r"[+-]?\d+\.\d+")


@dataclass(frozen=True)
class Dialect:
    delimiter: str
    decimal: str
    names: list[str]
    body: int
    """Offset of the first byte after the line of names."""
    codes: dict[int, str]
    """Position of each column with codes such as 007 -> one of its codes."""


def records(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """(first line, fields) of each record that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    before = 0
    for fields in reader:
        if fields and fields != [""]:
            yield before + 1, fields
        before = reader.line_num


def sniff(data: bytes, where: str) -> Dialect:
    """The dialect of the first rows; DataError where one column looks like several."""
    sample = data[:SAMPLE_BYTES].decode("utf-8", "ignore")
    if len(data) > SAMPLE_BYTES:  # the last line is cut
        sample = sample[: sample.rfind("\n") + 1] or sample
    delimiter = max(DELIMITERS, key=lambda each: _merit(_sampled(sample, each)))
    rows = _sampled(sample, delimiter)
    if not rows:
        raise DataError(f"{where} is empty")
    if len(rows[0]) == 1:
        _refuse_unusual(sample, where)
    decimal, body = _decimal(rows, delimiter), _body(sample, delimiter)
    return Dialect(delimiter, decimal, rows[0], body, _codes(rows))


def _sampled(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for _, fields in records(text, delimiter):
            rows.append(fields)
            if len(rows) > SAMPLE_ROWS:
                break
    except csv.Error:  # a field beyond csv's limit: the rows before it decide
        pass
    return rows


def _merit(rows: list[list[str]]) -> tuple[bool, float, int]:
    """How well a delimiter fits: several columns first, then equal widths, then many columns."""
    if not rows or len(rows[0]) == 1:
        return False, 0.0, 0
    same = sum(len(row) == len(rows[0]) for row in rows) / len(rows)
    return True, same, len(rows[0])


def _decimal(rows: list[list[str]], delimiter: str) -> str:
    if delimiter == ",":
        return "."
    cells = [cell.strip() for row in rows[1:] for cell in row]
    commas = any(_COMMA_NUMBER.fullmatch(cell) for cell in cells)
    points = any(_POINT_NUMBER.fullmatch(cell) for cell in cells)
    return "," if commas and not points else "."


def _codes(rows: list[list[str]]) -> dict[int, str]:
    found: dict[int, str] = {}
    for row in rows[1:]:
        for place, cell in enumerate(row):
            if _CODE.fullmatch(cell.strip()):
                found.setdefault(place, cell.strip())
    return found


def _body(sample: str, delimiter: str) -> int:
    """Bytes up to the end of the record that holds the names; blank lines may come before it."""
    lines = io.StringIO(sample, newline="")
    reader = csv.reader(lines, delimiter=delimiter)
    for fields in reader:
        if fields and fields != [""]:
            break
    text = io.StringIO(sample, newline="")
    return sum(len(text.readline().encode()) for _ in range(reader.line_num))


def _refuse_unusual(sample: str, where: str) -> None:
    lines = [line for line in sample.splitlines() if line.strip()][:SAMPLE_ROWS]
    for sign, name in _UNUSUAL.items():
        counts = {line.strip().count(sign) for line in lines}
        if len(lines) < 2 or len(counts) != 1 or counts == {0}:
            continue
        cells = [cell for line in lines[1:] for cell in line.split(sign)]
        numbers = sum(_NUMBER.fullmatch(cell.strip()) is not None for cell in cells)
        if sign != " " or numbers * 2 >= len(cells):  # two words in a row are not two columns
            raise DataError(
                f"{where} has one column, {lines[0][:60]!r}, but {name} in every line: separate "
                "the columns with a comma, semicolon, tab or |"
            )


def all_numbers(names: list[str]) -> bool:
    return all(_NUMBER.fullmatch(name.strip()) for name in names)
