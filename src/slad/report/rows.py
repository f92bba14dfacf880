"""The strangest rows: a list with filters, where each row opens to show its reasons."""

from __future__ import annotations

from slad.model.findings import Findings, FoundRow
from slad.report import wording
from slad.report.columns import Columns
from slad.report.limits import Limits
from slad.report.markup import Html, data, joined, section, tag
from slad.report.reasons import reasons
from slad.report.values import values

DECISIONS = {"strange": "strange", "unsure": "too close to call", "usual": "usual"}

_NONE = "This manifest was saved without cells of the table and holds no single rows."


def decision(row: FoundRow) -> str:
    """Key of `DECISIONS`."""
    if row.unsure:
        return "unsure"
    return "strange" if row.flagged else "usual"


def strangest(findings: Findings, columns: Columns, limits: Limits) -> Html:
    """The rows of the findings, strangest first."""
    rows = findings.rows[: limits.rows]
    if not rows:
        return section("rows", "The strangest rows", tag("p", _NONE, class_="lead"))
    order = [entry.column for entry in findings.blame]
    each = limits.values_bytes // max(len(rows), 1)
    items = [
        _row(row, columns, limits, values(row, order, columns, limits, each), opened=at == 0)
        for at, row in enumerate(rows)
    ]
    again = tag("button", "Show all", type="reset", form="filters")
    return section(
        "rows",
        "The strangest rows",
        tag("p", _intro(findings, len(rows)), class_="lead"),
        _filters(rows, columns, limits) if len(rows) > 1 else None,
        _heads(),
        tag("ol", *items, class_="rows", id="list"),
        tag("button", type="button", id="more", hidden=True),
        tag("p", "No row matches. ", again, id="nothing", hidden=True),
    )


def _intro(findings: Findings, shown: int) -> str:
    every = findings.counts.rows
    if shown == every:
        what = "All rows"
    else:
        what = f"The {wording.count(shown)} strangest of {wording.counted(every, 'row')}"
    return (
        f"{what}, strangest first; row numbers count from 1. Open a row to see its reasons and "
        "the nearest normal row."
    )


def _heads() -> Html:
    names = ("#", "Row", "Decision", "Score", "p-value", "First reason")
    return tag("div", *(tag("span", name) for name in names), class_="heads", aria_hidden="true")


# -- one row ---------------------------------------------------------------------------------------


def _row(row: FoundRow, columns: Columns, limits: Limits, table: Html, *, opened: bool) -> Html:
    blamed = {columns.number(name) for reason in row.reasons for name in reason.columns}
    body = tag("div", reasons(row, columns, limits), table, class_="body")
    return tag(
        "li",
        tag("details", _summary(row, limits), body, open=opened),
        id=f"row-{row.row}",
        data_decision=decision(row),
        data_blamed=" ".join(map(str, sorted(blamed))) or None,
    )


def _summary(row: FoundRow, limits: Limits) -> Html:
    found = decision(row)
    why = row.reasons[0].sentence if row.reasons else "no single column makes it strange"
    return tag(
        "summary",
        tag("span", row.rank, class_="rank"),
        tag("span", *_who(row, limits), class_="who"),
        tag("span", DECISIONS[found], class_=f"decision {found}"),
        tag("span", *_score(row), class_="score"),
        tag("span", _word("p-value"), wording.pvalue(row.pvalue), class_="p"),
        tag("span", data(wording.cut(why, min(limits.sentence, 180))), class_="why"),
    )


def _who(row: FoundRow, limits: Limits) -> list[Html]:
    number = f"row {wording.count(row.row)}"
    name = number if row.id is None else data(wording.cut_name(row.id, limits.name))
    more: list[object] = [] if row.id is None else [number]
    if row.label is not None:
        label = joined("label ", data(wording.cut(row.label, limits.name)))
        more += [" · ", label] if more else [label]
    return [tag("b", name), *([tag("small", *more)] if more else [])]


def _score(row: FoundRow) -> list[object]:
    error = row.error
    return [
        _word("score"),
        tag("b", wording.score(row.score)),
        tag("small", f" ± {wording.score(error)}") if error is not None else None,
    ]


def _word(text: str) -> Html:
    """The name of a number, for narrow screens without column heads."""
    return tag("span", f"{text} ", class_="word")


# -- filters ---------------------------------------------------------------------------------------


def _filters(rows: list[FoundRow], columns: Columns, limits: Limits) -> Html:
    """Filters, hidden until the script shows them: without it they do nothing."""
    blamed = {name for row in rows for reason in row.reasons for name in reason.columns}
    named = {name for row in rows for name, _ in row.values}
    decisions = [
        (key, DECISIONS[key]) for key in DECISIONS if any(decision(r) == key for r in rows)
    ]
    hint = "value, id or reason"
    find = tag("input", type="search", id="find", autocomplete="off", placeholder=hint)
    return tag(
        "form",
        _field("Search", find),
        _field("In column", _choice("within", "any column", _options(named, columns, limits))),
        _field("Reason", _choice("reason", "any reason", _options(blamed, columns, limits))),
        _field("Decision", _choice("decision", "any decision", decisions)),
        tag("button", "Reset", type="reset"),
        tag("output", wording.counted(len(rows), "row"), id="shown", aria_live="polite"),
        id="filters",
        class_="filters",
        role="search",
        aria_label="Filter the rows",
        hidden=True,
    )


def _field(label: str, control: Html) -> Html:
    return tag("label", tag("span", label), control)


def _options(names: set[str], columns: Columns, limits: Limits) -> list[tuple[str, str]]:
    ordered = sorted(names, key=columns.number)[:1000]
    return [(str(columns.number(n)), wording.cut_name(n, limits.name)) for n in ordered]


def _choice(name: str, everything: str, options: list[tuple[str, str]]) -> Html:
    entries = [tag("option", text, value=value) for value, text in options]
    return tag("select", tag("option", everything, value=""), *entries, id=name)
