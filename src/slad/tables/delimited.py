"""CSV and its kin: delimiter and decimal sign found out, ragged rows named by their line."""

from __future__ import annotations

import csv
from collections.abc import Mapping

import pyarrow as pa
from pyarrow import csv as arrow_csv

from slad.core.errors import DataError
from slad.tables.arrow_types import TEXT, family
from slad.tables.dialect import Dialect, all_numbers, records, sniff
from slad.tables.loaded import Note
from slad.tables.normal import unique_names
from slad.tables.text_bytes import as_utf8

MISSING = (
    *("NA", "N/A", "n/a", "#N/A", "<NA>"),
    *("null", "NULL", "Null", "none", "None", "NONE"),
    *("nan", "NaN", "NAN", "-"),
)
"""Cells that say that there is nothing, beside the empty ones."""

BLOCK_BYTES = 2**23

Types = Mapping[str, pa.DataType]


def read_delimited(data: bytes, where: str, types: Types) -> tuple[pa.Table, list[Note]]:
    """The table in a text with a line of names. `types`: columns that are to stay text."""
    data, notes = as_utf8(data, where)
    dialect = sniff(data, where)
    names, doubled = unique_names(dialect.names)
    if all_numbers(dialect.names):
        notes.append(Note(None, "the first line is taken as names, though it holds only numbers"))
    if not data[dialect.body :].strip():
        raise DataError(f"{where} has column names but no rows: {', '.join(names)[:200]}")
    texts = {name for name in names if name in types and family(types[name]) == TEXT}
    for place, code in dialect.codes.items():
        if place < len(names) and names[place] not in types:
            texts.add(names[place])
            notes.append(Note(names[place], f"read as text: {code!r} begins with a zero"))
    frame = _parse(data, dialect, names, texts, where)
    return frame, notes + doubled


def _parse(
    data: bytes, dialect: Dialect, names: list[str], texts: set[str], where: str
) -> pa.Table:
    body = pa.py_buffer(data).slice(dialect.body)
    convert = arrow_csv.ConvertOptions(
        column_types={name: pa.string() for name in texts},
        null_values=["", *MISSING],
        strings_can_be_null=True,
        decimal_point=dialect.decimal,
        true_values=["true", "True", "TRUE"],
        false_values=["false", "False", "FALSE"],
    )
    quoted = b'"' in data
    parse = arrow_csv.ParseOptions(delimiter=dialect.delimiter, newlines_in_values=quoted)
    # A row longer than a block cannot be read: the second try is one block of everything.
    for block in (BLOCK_BYTES, min(len(data) + 1, 2**31 - 1)):
        read = arrow_csv.ReadOptions(column_names=names, block_size=block)
        try:
            return arrow_csv.read_csv(pa.BufferReader(body), read, parse, convert)
        except (pa.ArrowException, ValueError) as error:
            problem = error
            if "straddling" not in str(error):
                break
    raise _explained(data, dialect, names, where, problem) from problem


def _explained(
    data: bytes, dialect: Dialect, names: list[str], where: str, problem: Exception
) -> DataError:
    """The error with the line at fault, which Arrow's threads do not know."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        for line, fields in records(data.decode(), dialect.delimiter):
            if len(fields) != len(names):
                return _ragged(line, fields, dialect.delimiter, len(names), where)
    except csv.Error as error:
        return DataError(f"{where} cannot be read as CSV: {error}")
    finally:
        csv.field_size_limit(limit)
    return DataError(f"{where} cannot be read as CSV: {problem}")


def _ragged(line: int, fields: list[str], delimiter: str, expected: int, where: str) -> DataError:
    text = delimiter.join(fields)
    hint = f"a {delimiter!r} inside a field needs quotes around the field"
    if "\n" in text and len(fields) < expected:
        hint = "it runs over several lines: is a quote not closed?"
    return DataError(
        f"{where}, line {line}: fields: {len(fields)}, columns: {expected}. The line begins with "
        f"{text[:60]!r}; {hint}"
    )
