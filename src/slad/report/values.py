"""The table of all values of a row, beside those of the nearest normal row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from slad.model.findings import FoundRow
from slad.report import wording
from slad.report.columns import Columns
from slad.report.limits import Limits, within
from slad.report.markup import Html, tag

_OPEN = 15
"""Up to this many values are shown without a click."""


def values(
    row: FoundRow, blamed: Sequence[str], columns: Columns, limits: Limits, size: int
) -> Html:
    """As many values as fit into `size` bytes: reasons first, then the most frequent reasons."""
    here = dict(row.values)
    nearest = None if row.nearest is None else dict(row.nearest)
    reasons = list(dict.fromkeys(n for reason in row.reasons for n in reason.columns))
    order = list(dict.fromkeys([*(n for n in [*reasons, *blamed] if n in here), *here]))
    lines = _lines(order, here, nearest, set(reasons), columns, limits)
    body, shown = within(size, lines)
    heads = ("Column", "This row", *([] if nearest is None else ["Nearest normal row"]), "Usually")
    head = tag("tr", *(tag("th", name, scope="col") for name in heads))
    table = tag("table", tag("thead", head), tag("tbody", body), class_="values")
    left = len(order) - shown
    title = "All values" if nearest is None else "All values beside the nearest normal row"
    return tag(
        "details",
        tag("summary", title, tag("small", f" {wording.counted(len(order), 'column')}")),
        table,
        left > 0 and tag("p", _cut(left), class_="cut"),
        class_="all",
        open=shown <= _OPEN,
    )


def _cut(left: int) -> str:
    columns = wording.counted(left, "further column")
    return f"{columns} of less weight left out to keep this page small; see the table itself."


def _lines(
    order: Sequence[str],
    here: Mapping[str, str],
    nearest: Mapping[str, str] | None,
    reasons: set[str],
    columns: Columns,
    limits: Limits,
) -> Iterator[Html]:
    for name in order:
        value = here[name]
        column = columns.get(name)
        cells = [tag("td", wording.cut(value, limits.cell))]
        if nearest is not None:
            normal = nearest.get(name, wording.NOTHING)
            same = "same" if normal == value else None
            cells.append(tag("td", wording.cut(normal, limits.cell), class_=same))
        usual = wording.cut(column.usual, limits.cell) if column else ""
        mark = tag("small", " reason") if name in reasons else None
        yield tag(
            "tr",
            tag("th", wording.cut_name(name, limits.name), mark, scope="row"),
            *cells,
            tag("td", usual),
            data_c=columns.number(name),
            class_="blamed" if name in reasons else None,
        )
