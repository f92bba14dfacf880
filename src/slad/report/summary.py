"""The top of the page: the answer in one sentence, the guarantee, and a few figures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from slad.model.findings import Counts, Findings
from slad.report import wording
from slad.report.limits import Limits
from slad.report.markup import Html, data, joined, tag


def headline(counts: Counts) -> str:
    """
    >>> headline(Counts(rows=1000, flagged=12, unsure=0))
    '12 of 1,000 rows are flagged'
    >>> headline(Counts(rows=1, flagged=1, unsure=0))
    'The only row is flagged'
    """
    rows, flagged = counts.rows, counts.flagged
    if rows == 1:
        return "The only row is flagged" if flagged else "The only row is usual"
    if not flagged:
        return f"None of {wording.counted(rows, 'row')} is flagged"
    verb = "is" if flagged == 1 else "are"
    return f"{wording.count(flagged)} of {wording.counted(rows, 'row')} {verb} flagged"


def _marked(sentence: str) -> Html:
    """The sentence with its first number emphasised."""
    first, _, rest = sentence.partition(" ")
    return joined(tag("em", first) if first[0].isdigit() else first, " ", rest)


def top(findings: Findings, limits: Limits) -> Html:
    """The answer, the guarantee and the main figures."""
    counts, rule = findings.counts, findings.rule
    return tag(
        "section",
        tag(
            "p",
            "Strange rows in ",
            data(wording.cut_name(findings.title, 2 * limits.name)),
            class_="kicker",
        ),
        tag("h1", _marked(headline(counts)), id="answer-title"),
        tag("p", _unsure(findings), class_="unsure") if counts.unsure else None,
        tag(
            "div",
            tag("p", tag("strong", "What is guaranteed. "), rule.sentence),
            tag("p", _calibrated(findings), class_="quiet"),
            class_="promise",
        ),
        _figures(findings),
        tag(
            "p",
            "A strange row is not necessarily wrong: it is a row to look at. ",
            tag("a", "How to read this page", href="#reading"),
            class_="quiet",
        ),
        id="answer",
        aria_labelledby="answer-title",
    )


def _unsure(findings: Findings) -> str:
    counts = findings.counts
    flagged = [row for row in findings.rows if row.flagged]
    among = sum(row.unsure for row in flagged)
    others = counts.unsure - among
    some = []
    if len(flagged) < counts.flagged or not flagged:  # which side they are on is not known
        some = [wording.counted(counts.unsure, "row")]
    else:
        some += [f"{among} of them"] if among else []
        some += [wording.counted(others, "other row")] if others else []
    verb = "lies" if counts.unsure == 1 else "lie"
    return (
        f"{wording.listed(some).capitalize()} {verb} so close to the threshold that another run "
        "could decide differently: too close to call."
    )


def _calibrated(findings: Findings) -> str:
    calibration = findings.calibration
    rows = wording.counted(calibration.rows, "calibration row")
    how = {
        "cross": f"each scored by a model that did not see it ({calibration.folds} folds)",
        "split": "which the model did not learn from",
    }.get(calibration.kind, calibration.kind)
    known = (
        "These rows are known to be normal."
        if calibration.clean
        else "They are not known to be normal: strange rows may be among them."
    )
    return f"P-values compare each row with {rows}, {how}. {known}"


def _figures(findings: Findings) -> Html:
    counts, rule = findings.counts, findings.rule
    limit = None if rule.threshold is None else "rows at or above it are strange"
    used = sum(column.used for column in findings.columns)
    all_columns = len(findings.columns)
    seconds = sum(findings.seconds.values())
    figures = [
        ("Rows scored", wording.count(counts.rows), None),
        (
            "Flagged",
            wording.count(counts.flagged),
            wording.share(counts.flagged / max(counts.rows, 1)) + " of the rows",
        ),
        ("Too close to call", wording.count(counts.unsure), None),
        ("Threshold", wording.figure(rule.threshold), limit),
        ("Columns used", wording.count(used), f"of {wording.count(all_columns)}"),
        ("Time", wording.seconds(seconds), _date(findings.created)),
    ]
    return tag("dl", *(_figure(*each) for each in figures), class_="figures")


def _figure(name: str, value: str, more: str | None) -> Html:
    said = tag("dd", value, tag("small", more) if more else None)
    return tag("div", tag("dt", name), said)


def _date(created: str) -> str:
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return created
    return f"on {moment.day} {moment:%B %Y}"


def page_header(findings: Findings, anchors: Mapping[str, str]) -> Html:
    """Links to the sections, and the switch between light and dark."""
    links = [tag("li", tag("a", name, href=f"#{anchor}")) for anchor, name in anchors.items()]
    switch = tag("button", "Dark", type="button", id="theme", hidden=True)
    name = tag("span", "slad", tag("small", f" {findings.slad}"), class_="brand")
    return joined(name, tag("nav", tag("ul", *links), aria_label="Sections of this page"), switch)
