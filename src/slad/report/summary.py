"""The top of the page: the answer in one sentence, what was promised, and a few figures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from slad.report import wording
from slad.report.limits import Limits
from slad.report.markup import Html, data, joined, tag


def headline(counts: Mapping[str, int]) -> str:
    """
    >>> headline({"rows": 1000, "flagged": 12})
    '12 of 1,000 rows stand out'
    >>> headline({"rows": 1, "flagged": 1})
    'The only row stands out'
    """
    rows, flagged = counts["rows"], counts["flagged"]
    if rows == 1:
        return "The only row stands out" if flagged else "The only row looks usual"
    if not flagged:
        return f"None of {wording.counted(rows, 'row')} stands out"
    verb = "stands" if flagged == 1 else "stand"
    return f"{wording.count(flagged)} of {wording.counted(rows, 'row')} {verb} out"


def _marked(sentence: str) -> Html:
    """The sentence with the number at its head set off."""
    first, _, rest = sentence.partition(" ")
    return joined(tag("em", first) if first[0].isdigit() else first, " ", rest)


def top(findings: Mapping[str, Any], limits: Limits) -> Html:
    """What somebody reads who reads nothing else."""
    counts, rule = findings["counts"], findings["rule"]
    return tag(
        "section",
        tag(
            "p",
            "Strange rows in ",
            data(wording.cut_name(findings["title"], 2 * limits.name)),
            class_="kicker",
        ),
        tag("h1", _marked(headline(counts)), id="answer-title"),
        tag("p", _unsure(findings), class_="unsure") if counts["unsure"] else None,
        tag(
            "div",
            tag("p", tag("strong", "What was promised. "), rule["sentence"]),
            tag("p", _calibrated(findings), class_="quiet"),
            class_="promise",
        ),
        _figures(findings),
        tag(
            "p",
            "A strange row is not a wrong row: it is one to look at. ",
            tag("a", "How to read this page", href="#reading"),
            class_="quiet",
        ),
        id="answer",
        aria_labelledby="answer-title",
    )


def _unsure(findings: Mapping[str, Any]) -> str:
    counts = findings["counts"]
    flagged = [row for row in findings["rows"] if row["flagged"]]
    among = sum(row["unsure"] for row in flagged)
    others = counts["unsure"] - among
    some = []
    if len(flagged) < counts["flagged"] or not flagged:  # which side they are on is not known
        some = [wording.counted(counts["unsure"], "row")]
    else:
        some += [f"{among} of them"] if among else []
        some += [wording.counted(others, "other row")] if others else []
    verb = "lies" if counts["unsure"] == 1 else "lie"
    return (
        f"{wording.listed(some).capitalize()} {verb} so close to the threshold that another run "
        "could judge the other way: too close to call."
    )


def _calibrated(findings: Mapping[str, Any]) -> str:
    calibration = findings["calibration"]
    rows = wording.counted(calibration["rows"], "row")
    how = {
        "cross": f"each scored by models that had not seen it ({calibration['folds']} folds)",
        "split": "kept apart from those the model learned from",
    }.get(calibration["kind"], calibration["kind"])
    known = (
        "These rows are known to be normal."
        if calibration["clean"]
        else "Nobody checked these rows: strange ones may be among them."
    )
    return f"Judged against {rows}, {how}. {known}"


def _figures(findings: Mapping[str, Any]) -> Html:
    counts, rule = findings["counts"], findings["rule"]
    limit = None if rule["threshold"] is None else "strange from here on"
    used = sum(column["used"] for column in findings["columns"])
    all_columns = len(findings["columns"])
    seconds = sum(findings["seconds"].values())
    figures = [
        ("Rows judged", wording.count(counts["rows"]), None),
        (
            "Stand out",
            wording.count(counts["flagged"]),
            wording.share(counts["flagged"] / max(counts["rows"], 1)) + " of the rows",
        ),
        ("Too close to call", wording.count(counts["unsure"]), None),
        ("Threshold", wording.figure(rule["threshold"]), limit),
        ("Columns used", wording.count(used), f"of {wording.count(all_columns)}"),
        ("Time", wording.seconds(seconds), _date(findings["created"])),
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


def page_header(findings: Mapping[str, Any], anchors: Mapping[str, str]) -> Html:
    """Links to the parts, and the switch of light and dark."""
    links = [tag("li", tag("a", name, href=f"#{anchor}")) for anchor, name in anchors.items()]
    switch = tag("button", "Dark", type="button", id="theme", hidden=True)
    name = tag("span", "slad", tag("small", f" {findings['slad']}"), class_="brand")
    return joined(name, tag("nav", tag("ul", *links), aria_label="Parts of this page"), switch)
