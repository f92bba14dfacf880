"""The reasons of a row: weight, sentence, and the value among those of its column."""

from __future__ import annotations

from slad.model.findings import ColumnProfile, FoundRow
from slad.model.row_explanation import ColumnReason
from slad.report import wording
from slad.report.columns import Columns, bar
from slad.report.limits import Limits
from slad.report.markup import Html, data, joined, tag
from slad.report.shapes import histogram_of, is_of_times, place, strip


def reasons(row: FoundRow, columns: Columns, limits: Limits) -> Html:
    """The reasons of a row, strongest first."""
    given = row.reasons
    if not given:
        text = "No single column makes this row strange; compare its values below."
        return tag("p", text, class_="quiet")
    shown = given[: limits.reasons]
    left = len(given) - len(shown)
    return joined(
        tag("h3", "Why it is flagged" if row.flagged else "What is least usual in it"),
        tag("ol", *(_reason(reason, columns, limits) for reason in shown), class_="reasons"),
        tag("p", f"{wording.counted(left, 'weaker reason')} not shown.", class_="cut")
        if left
        else None,
    )


def _reason(reason: ColumnReason, columns: Columns, limits: Limits) -> Html:
    names = [data(wording.cut_name(name, limits.name)) for name in reason.columns]
    parts: list[object] = []
    for name in names:
        parts += [tag("span", " with ", class_="with"), name] if parts else [name]
    weight = tag("small", f" of the score, {_signed(reason.contribution)}")
    return tag(
        "li",
        tag("h4", *parts),
        tag(
            "div",
            bar(min(max(reason.share, 0), 1)),
            tag("span", wording.share(reason.share), weight),
            class_="weight",
        ),
        tag("p", wording.cut(reason.sentence, limits.sentence), class_="said"),
        *_strips(reason, columns, limits),
    )


def _signed(contribution: float) -> str:
    return ("+" if contribution > 0 else "") + wording.score(contribution)


def _strips(reason: ColumnReason, columns: Columns, limits: Limits) -> list[Html]:
    pairs = list(zip(reason.columns, reason.values, strict=True))[: limits.reasons]
    drawn = (_strip(name, value, columns, limits) for name, value in pairs)
    return [each for each in drawn if each is not None]


def _strip(name: str, value: str, columns: Columns, limits: Limits) -> Html | None:
    column = columns.get(name)
    found = place(column, value) if column else None
    if column is None or found is None:
        return None
    said = joined(tag("b", data(wording.cut(value, limits.cell))), f": {found.words}")
    if found.at is None:
        return tag("p", said, class_="where")
    drawn = strip(columns.number(name), column, found)
    return tag("figure", drawn, _ends(column), tag("figcaption", said), class_="where")


def _ends(column: ColumnProfile) -> Html | None:
    """The smallest and the largest value, under the ends of the histogram."""
    histogram = histogram_of(column)
    if histogram is None or is_of_times(column):
        return None
    low, high = (wording.figure(histogram.edges[at]) for at in (0, -1))
    return tag("span", tag("span", low), tag("span", high), class_="ends", aria_hidden="true")
