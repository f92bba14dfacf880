"""Generated tables inside hand-written pages.

Each table stands between `<!-- table: NAME -->` and `<!-- end -->`; the text around it stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from slad.core.files import written_aside
from slad_paper.pages.document import markdown_line

BLOCK = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, table: Callable[[str], Sequence[str]]) -> str:
    """The page with new tables; `table` gives the lines of one by its name."""
    return BLOCK.sub(lambda found: found[1] + "\n".join(table(found[2])) + "\n" + found[3], page)


def lines_of(rows: Iterable[Sequence[str]]) -> list[str]:
    """A table of text; the first row is its header, the first column names the rows."""
    header, *body = rows
    rule = "|---" + "|---:" * (len(header) - 1) + "|"
    return [markdown_line(header), rule, *map(markdown_line, body)]


def rewrite(page: Path, change: Callable[[str], str]) -> None:
    """Replace the text of a page."""
    made = change(page.read_text("utf-8"))
    with written_aside(page) as aside:
        aside.write_text(made, "utf-8")
    print(f"wrote {page}")
