"""Tables inside pages that people write: each stands between `<!-- table: NAME -->` and
`<!-- end -->`, and is made anew from the records while the words around it stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from slad.core.files import written_aside

BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, table: Callable[[str], Sequence[str]]) -> str:
    """The page with its tables made anew; `table` has the lines of each by its name."""

    def again(found: re.Match[str]) -> str:
        lines = "\n".join(table(found[2]))
        return f"{found[1]}{lines}\n{found[3]}"

    return BLOCK.sub(again, page)


def lines_of(rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of text; the first row is its header, the first column its names."""
    header, *body = rows
    rule = "|---" + "|---:" * (len(header) - 1) + "|"
    return [_line(header), rule, *(_line(cells) for cells in body)]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def write(page: Path, table: Callable[[str], Sequence[str]]) -> None:
    """Make the tables of a page anew."""
    made = filled(page.read_text("utf-8"), table)
    with written_aside(page) as aside:
        aside.write_text(made, "utf-8")
    print(f"wrote {page}")
