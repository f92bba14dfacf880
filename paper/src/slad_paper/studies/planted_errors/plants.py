"""Data errors of seven kinds, each planted in one cell of a row, or two that are exchanged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from slad_paper.studies.planted_errors.sheet import Sheet

EACH = 10
"""Errors of each kind in a table, ..."""
MOST = 0.1
"""... but not in more than this part of its rows: with more they would be a usual thing."""
TRIES = 200
"""Rows and columns tried for each error, as not every cell can have every error."""
FAR_YEARS = (2080, 1900)
GAPS = 0.01
"""A gap is new in a column where at most this part is missing."""

CONVERSIONS: dict[str, Callable[[float], float]] = {
    "miles": lambda miles: miles * 1.609344,
    "inches": lambda inches: inches * 2.54,
    "pounds": lambda pounds: pounds * 0.45359237,
    "°F": lambda fahrenheit: (fahrenheit - 32) / 1.8,
    "°C": lambda celsius: celsius * 1.8 + 32,
    "m/s": lambda metres: metres * 3.6,
    "mm": lambda millimetres: millimetres / 10,
    "g": lambda grams: grams / 1000,
    "km²": lambda square_kilometres: square_kilometres * 100,
    "days": lambda days: days / 30.4375,
    "years": lambda years: years * 12,
}
"""Unit -> the same in a unit it is mixed up with: km, cm, kg, °C, °F, km/h, hectares, months."""

Cells = Mapping[str, Any]
"""New values of a row, by column; none where the row cannot have the error."""
Change = Callable[[Sheet, str, int, int, np.random.Generator], Cells]
"""(sheet, column, row, how many were planted before, generator) -> the new cells."""


def _gross(sheet: Sheet, name: str, row: int, turn: int, rng: np.random.Generator) -> Cells:
    """Ten or a hundred times the value, a decimal point slipped, or the wrong sign."""
    column, value = sheet.columns[name], sheet.columns[name].values[row]
    if not value:
        return {}
    if turn % 4 == 3:
        return {name: -value} if column.is_new(-value) else {}
    new = value * (10, 100, 0.1)[turn % 4]
    return {name: round(new) if isinstance(value, int) and new == round(new) else new}


def _unit(sheet: Sheet, name: str, row: int, turn: int, rng: np.random.Generator) -> Cells:
    value = sheet.columns[name].values[row]
    return {name: CONVERSIONS[sheet.units[name]](value)} if value else {}


def _swapped(sheet: Sheet, name: str, row: int, turn: int, rng: np.random.Generator) -> Cells:
    """The values of two columns of numbers, exchanged."""
    others = [other for other in sheet.names("is_measured") if other != name]
    if not others:
        return {}
    other = others[rng.integers(len(others))]
    one, two = sheet.columns[name].values[row], sheet.columns[other].values[row]
    return {} if None in (one, two) or one == two else {name: two, other: one}


def _typo(sheet: Sheet, name: str, row: int, turn: int, rng: np.random.Generator) -> Cells:
    """Another letter, the other case, or a space at the end; never another category."""
    column, text = sheet.columns[name], sheet.columns[name].values[row]
    if not text:
        return {}
    if turn % 3 == 0:
        letters = list(text)
        letters[rng.integers(len(letters))] = chr(ord("a") + rng.integers(26))
        new = "".join(letters)
    else:
        new = text.swapcase() if turn % 3 == 1 else f"{text} "
    return {} if new in column.different else {name: new}


def _date(sheet: Sheet, name: str, row: int, turn: int, rng: np.random.Generator) -> Cells:
    """The years 2080 and 1900, or two digits of the year: beyond all dates of the column."""
    column, value = sheet.columns[name], sheet.columns[name].values[row]
    if value is None:
        return {}
    if column.is_years:
        new = (*FAR_YEARS, value % 100)[turn % 3]
    else:
        fine = pa.types.is_timestamp(column.type) and column.type.unit == "ns"
        year = (*FAR_YEARS, 2080 if fine else value.year % 100 or 1)[turn % 3]
        new = value.replace(year=year, day=min(value.day, 28))
    return {name: new} if column.is_new(new) else {}


def _dependency(sheet: Sheet, name: str, row: int, turn: int, rng: np.random.Generator) -> Cells:
    donor = sheet.dependence.impossible(name, row, rng)
    return {} if donor is None else {name: sheet.columns[name].values[donor]}


def _gap(sheet: Sheet, name: str, row: int, turn: int, rng: np.random.Generator) -> Cells:
    return {} if sheet.columns[name].values[row] is None else {name: None}


@dataclass(frozen=True)
class Kind:
    """A kind of error."""

    about: str
    columns: Callable[[Sheet], Sequence[str]]
    change: Change


KINDS: dict[str, Kind] = {
    "gross value": Kind(
        "ten or a hundred times the number, a tenth of it, or the wrong sign",
        lambda sheet: sheet.names("is_measured"),
        _gross,
    ),
    "unit": Kind(
        "a number in another unit: kilometres for miles, Fahrenheit for Celsius, cm for mm",
        lambda sheet: [name for name in sheet.units if name in sheet.columns],
        _unit,
    ),
    "swapped columns": Kind(
        "two numbers of a row, exchanged", lambda sheet: sheet.names("is_measured"), _swapped
    ),
    "typo": Kind(
        "a category with another letter, in the other case, or with a space at its end",
        lambda sheet: sheet.names("is_named"),
        _typo,
    ),
    "far date": Kind(
        "a date in 2080 or 1900, or in the year 19 for 2019",
        lambda sheet: [*sheet.names("is_dated"), *sheet.names("is_years")],
        _date,
    ),
    "broken dependency": Kind(
        "a value, usual by itself, that never comes with another value of the row",
        lambda sheet: list(sheet.dependence.partners),
        _dependency,
    ),
    "new gap": Kind(
        "nothing, in a column where at most 1 % is missing",
        lambda sheet: [
            name
            for name, column in sheet.columns.items()
            if len(column.values) - len(column.present) <= GAPS * len(column.values)
        ],
        _gap,
    ),
}
"""Every kind of error, by its name."""


@dataclass(frozen=True)
class Error:
    """A planted one."""

    kind: str
    row: int
    cells: Cells


def plant(
    frame: pa.Table, units: Mapping[str, str], rng: np.random.Generator
) -> tuple[pa.Table, list[Error]]:
    """The table with errors, no two in a row, and what they are."""
    sheet = Sheet.of(frame, units)
    columns = {name: kind.columns(sheet) for name, kind in KINDS.items()}
    possible = [name for name in KINDS if columns[name]]
    count = min(EACH, int(MOST * frame.num_rows / max(len(possible), 1)))
    free, errors = set(range(frame.num_rows)), list[Error]()
    for kind in possible:
        for turn in range(count):
            if error := _one(sheet, kind, columns[kind], turn, free, rng):
                errors.append(error)
                free.remove(error.row)
    cells: dict[str, dict[int, Any]] = {}
    for error in errors:
        for name, value in error.cells.items():
            cells.setdefault(name, {})[error.row] = value
    return sheet.changed(cells), errors


def _one(
    sheet: Sheet,
    kind: str,
    columns: Sequence[str],
    turn: int,
    free: set[int],
    rng: np.random.Generator,
) -> Error | None:
    """An error of this kind in a free row; None where no tried cell can have it."""
    for _ in range(TRIES):
        name = columns[int(rng.integers(len(columns)))]
        row = int(rng.integers(sheet.frame.num_rows))
        if row in free and (cells := KINDS[kind].change(sheet, name, row, turn, rng)):
            return Error(kind, row, cells)
    return None
