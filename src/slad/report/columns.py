"""The columns of a table: those behind the strange rows, and all of them with their spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slad.model.findings import Blame, ColumnProfile, Findings
from slad.report import wording
from slad.report.limits import Limits, within
from slad.report.markup import Html, data, joined, section, tag
from slad.report.shapes import PIN, symbol

_MOST_BLAMED = 15
_OPEN = 40
"""Up to this many columns are shown without a click."""


class Columns:
    """The columns of the findings in their order, each with a number for its name."""

    def __init__(self, columns: Sequence[ColumnProfile]) -> None:
        self.all = columns
        self._numbers = {column.name: at for at, column in enumerate(columns)}

    def number(self, name: str) -> int:
        """A name that is not among the columns gets a number of its own."""
        return self._numbers.setdefault(name, len(self._numbers))

    def get(self, name: str) -> ColumnProfile | None:
        at = self.number(name)
        return self.all[at] if at < len(self.all) else None

    def symbols(self) -> Html:
        drawn = (symbol(at, column) for at, column in enumerate(self.all))
        return tag("svg", PIN, *drawn, class_="symbols", aria_hidden="true")


def blame(findings: Findings, columns: Columns, limits: Limits) -> Html | None:
    """The columns behind the strange rows, strongest first."""
    entries = findings.blame
    if not entries:
        return None
    ranked = sorted(entries, key=lambda entry: (-entry.share, -entry.rows))
    shown, most = ranked[:_MOST_BLAMED], ranked[0].share or 1
    lines = [_blamed(entry, entry.share / most, columns, limits) for entry in shown]
    left = len(entries) - len(shown)
    return section(
        "blame",
        "Columns behind the strange rows",
        tag(
            "p",
            "The share of each column in the reasons of the strange rows, and the number of rows "
            "of which it is the first reason. Choose a column to list its rows above.",
            class_="lead",
        ),
        tag("ol", *lines, class_="blame"),
        left > 0 and tag("p", f"{wording.counted(left, 'more column')} not shown.", class_="cut"),
    )


def _blamed(entry: Blame, width: float, columns: Columns, limits: Limits) -> Html:
    number = columns.number(entry.column)
    name = data(wording.cut_name(entry.column, limits.name))
    first = f"first reason of {wording.counted(entry.rows, 'row')}" if entry.rows else None
    return tag(
        "li",
        tag("a", name, href="#rows", data_column=number, class_="name"),
        bar(width),
        tag("span", tag("b", wording.share(entry.share)), tag("small", first), class_="said"),
    )


def bar(width: float) -> Html:
    """A bar over a part of its line, hidden from screen readers: a number stands beside it."""
    return tag(
        "svg",
        tag("rect", width="100%", height="100%", class_="track", rx=3),
        tag("rect", width=f"{width:.1%}", height="100%", class_="filled", rx=3),
        class_="bar",
        aria_hidden="true",
    )


def table(findings: Findings, limits: Limits) -> Html:
    """Every column with its kind, its missing values and its usual values."""
    columns = findings.columns
    lines, shown = within(limits.columns_bytes, _lines(columns, limits))
    heads = ("Column", "Kind", "Values", "Usually", "Missing", "Note")
    head = tag("tr", *(tag("th", name, scope="col") for name in heads))
    left = len(columns) - shown
    whole = tag("table", tag("thead", head), tag("tbody", lines), class_="columns")
    more = tag("p", f"{wording.counted(left, 'more column')} not shown.", class_="cut")
    return tag(
        "details",
        tag("summary", "All columns ", tag("small", wording.counted(len(columns), "column"))),
        tag("div", whole, class_="scroll", tabindex=0, role="region", aria_label="All columns"),
        left > 0 and more,
        class_="every",
        open=len(columns) <= _OPEN,
    )


def _lines(columns: Sequence[ColumnProfile], limits: Limits) -> Iterator[Html]:
    for at, column in enumerate(columns):
        used = column.used
        kind = column.kind if used else joined(column.kind, tag("small", " left out"))
        yield tag(
            "tr",
            tag("th", wording.cut_name(column.name, limits.name), scope="row"),
            tag("td", kind),
            _tiny(at, column),
            tag("td", wording.cut(column.usual, limits.cell)),
            tag("td", wording.share(column.missing), class_="number"),
            tag("td", wording.cut(column.note, limits.sentence)),
            class_=None if used else "unused",
        )


def _tiny(at: int, column: ColumnProfile) -> Html:
    if symbol(at, column) is None:
        return tag("td", wording.NOTHING, class_="tiny none")
    drawn = tag("use", href=f"#c{at}", width="100%", height="100%")
    return tag("td", tag("svg", drawn, aria_hidden="true"), class_="tiny")
