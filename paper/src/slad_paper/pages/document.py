"""The parts of a report (paragraphs, tables, pictures), shown as plain text or as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Value = str | int | float | None

# An underscore between letters or digits has no meaning in Markdown.
_SIGNS = re.compile(r"[\\|*<>`\[\]]|(?<![^\W_])_|_(?![^\W_])")


@dataclass(frozen=True)
class Cell:
    """A cell of a table; a marked one is bold in Markdown and starred in plain text."""

    text: str
    best: bool = False


@dataclass(frozen=True)
class Table:
    """Cells under a header. The first column names the row; it is repeated where text wraps."""

    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    numbers: bool = False
    """Whether all columns but the first hold plain numbers, which are set flush right."""


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Notes:
    """A list of remarks: legends, failures, what is left out."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Picture:
    """A figure that is drawn when the report is written with pictures."""

    name: str
    caption: str
    draw: Callable[[], Figure]


Part = Heading | Notes | Table | Picture


@dataclass(frozen=True)
class Report:
    """A whole report. The names of its files begin with `name`."""

    name: str
    title: str
    brief: Sequence[Part]
    """Shown in the terminal and in Markdown."""
    details: Sequence[Part] = ()
    """Shown in Markdown only."""
    data: dict[str, Sequence[dict[str, Value]]] = field(default_factory=dict)
    """Name of a CSV file -> its rows, in full precision."""

    def pictures(self) -> list[Picture]:
        return [part for part in (*self.brief, *self.details) if isinstance(part, Picture)]


# -- plain text ------------------------------------------------------------------------------------


def as_text(report: Report, width: int = 120) -> str:
    """The brief part for a terminal of this width; wider tables continue below."""
    lines = [report.title, "=" * len(report.title)]
    for part in report.brief:
        match part:
            case Heading(text):
                lines += ["", text, "-" * len(text)]
            case Notes(notes):
                for note in notes:
                    lines += wrap(note, width, initial_indent="- ", subsequent_indent="  ")
            case Table():
                lines += _text_table(part, width)
            case Picture():
                pass
    return "\n".join(lines) + "\n"


def _text_table(table: Table, width: int) -> Iterator[str]:
    columns = [
        [name, *(_starred(row[at], table.numbers and at > 0) for row in table.rows)]
        for at, name in enumerate(table.header)
    ]
    sizes = [max(map(len, column)) for column in columns]
    for count, shown in enumerate(_fitting(sizes, width)):
        if count:
            yield ""
        for line in range(len(table.rows) + 1):
            cells = [
                columns[at][line].rjust(sizes[at])
                if table.numbers and at
                else columns[at][line].ljust(sizes[at])
                for at in (0, *shown)
            ]
            yield "  ".join(cells).rstrip()


def _fitting(sizes: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns after the first, cut into runs that fit the width."""
    shown: list[int] = []
    used = sizes[0]
    for at in range(1, len(sizes)):
        if shown and used + 2 + sizes[at] > width:
            yield shown
            shown, used = [], sizes[0]
        shown.append(at)
        used += 2 + sizes[at]
    yield shown


def _starred(cell: Cell, flush_right: bool) -> str:
    """Numbers that stand flush right leave room for the star, so that digits line up."""
    return cell.text + ("*" if cell.best else " " if flush_right else "")


# -- Markdown --------------------------------------------------------------------------------------


def as_markdown(report: Report, drawn: Container[str] = ()) -> str:
    """The whole report; pictures that were not drawn are left out."""
    blocks = [f"# {report.title}"]
    for part in (*report.brief, *report.details):
        match part:
            case Heading(text):
                blocks.append(f"## {text}")
            case Notes(notes) if notes:
                blocks.append("\n".join(f"- {_escaped(line)}" for line in notes))
            case Table():
                blocks.append("\n".join(_markdown_table(part)))
            case Picture(name, caption) if name in drawn:
                blocks.append(f"![{caption}]({report.name}-{name}.svg)")
            case _:
                pass
    return "\n\n".join(blocks) + "\n"


def _markdown_table(table: Table) -> Iterator[str]:
    yield markdown_line([_escaped(name) for name in table.header])
    rule = "---:" if table.numbers else "---"
    yield markdown_line(["---", *[rule] * (len(table.header) - 1)])
    for row in table.rows:
        cells = (_escaped(cell.text) for cell in row)
        yield markdown_line(
            [f"**{text}**" if cell.best else text for text, cell in zip(cells, row, strict=True)]
        )


def markdown_line(cells: Sequence[str]) -> str:
    """A line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """The reason of a failure may hold anything; it must not break the table or become HTML."""
    return _SIGNS.sub(r"\\\g<0>", text)
