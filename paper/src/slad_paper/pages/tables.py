"""The vocabulary of tables: cells, the best of a row or column, and long rows for CSV files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from slad_paper.pages.document import Cell, Table, Value

NOTHING = "–"


def table(header: Sequence[str], rows: Iterable[Iterable[Any]], numbers: bool = False) -> Table:
    """A table of cells and plain values; None is a dash.

    >>> table(["", "rows"], [["train", 5], ["test", None]]).rows[1][1].text
    '–'
    """
    return Table(header, [[_cell(value) for value in row] for row in rows], numbers)


def _cell(value: Any) -> Cell:
    if isinstance(value, Cell):
        return value
    return Cell(NOTHING if value is None else str(value))


def marked(
    values: Sequence[float | None],
    texts: Sequence[str] | None = None,
    *,
    digits: int = 3,
    lowest: bool = False,
) -> list[Cell]:
    """Values as cells, the best marked; values that round alike are best together.

    >>> [(cell.text, cell.best) for cell in marked([0.9, 0.12345, None])]
    [('0.900', True), ('0.123', False), ('–', False)]
    """
    rounded = [None if value is None else round(value, digits) for value in values]
    known = [value for value in rounded if value is not None]
    best = None if not known else min(known) if lowest else max(known)
    shown = texts or [NOTHING if value is None else f"{value:.{digits}f}" for value in values]
    return [
        Cell(text, value is not None and value == best)
        for text, value in zip(shown, rounded, strict=True)
    ]


def comparison(
    header: Sequence[str],
    values: Mapping[str, Sequence[float | None]],
    *,
    after: Callable[[str], Sequence[Any]] = lambda name: (),
    digits: int = 3,
    lowest: bool = False,
) -> Table:
    """A row for each name; the best of each column is marked, and `after` ends a row."""
    columns = [
        marked(each, digits=digits, lowest=lowest) for each in zip(*values.values(), strict=True)
    ]
    rows = ([name, *(c[at] for c in columns), *after(name)] for at, name in enumerate(values))
    return table(header, rows, numbers=True)


def long(columns: str, rows: Iterable[Sequence[Any]]) -> list[dict[str, Value]]:
    """Rows of a CSV file; `columns` are their names, separated by spaces.

    >>> long("seed auc_roc", [(0, 0.5)])
    [{'seed': 0, 'auc_roc': 0.5}]
    """
    names = columns.split()
    return [dict(zip(names, map(_plain, row), strict=True)) for row in rows]


def _plain(value: Any) -> Value:
    """A number of numpy as one of Python, of which all digits are written."""
    found: Value = value.item() if isinstance(value, np.generic) else value
    return found
