"""All parts as one file that loads nothing."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from slad.core.errors import DataError
from slad.core.files import written_aside
from slad.report.checks import checks, evaluation
from slad.report.columns import Columns, blame, table
from slad.report.distribution import distribution
from slad.report.limits import LARGEST, STEPS, Limits
from slad.report.markup import Html, escaped, joined, section, tag
from slad.report.reading import reading
from slad.report.reproduce import reproduce
from slad.report.rows import strangest
from slad.report.summary import headline, page_header, top
from slad.report.wording import cut, cut_name

FORMAT = 1
_MOST_NOTES = 40

# fmt: off
_NEEDED = frozenset((
    "title", "created", "slad", "versions", "command", "seed", "seconds", "input", "reference",
    "detector", "calibration", "rule", "reject", "counts", "evaluation", "scores", "rows",
    "blame", "history", "checks", "columns", "notes", "reproduce",
))
# fmt: on
_NAMES = {
    "scores": "Scores",
    "rows": "Rows",
    "blame": "Columns to blame",
    "evaluation": "Known answers",
    "checks": "Checks",
    "data": "Data",
    "reproduce": "Reproduce",
    "reading": "How to read",
}


def render(findings: Mapping[str, Any]) -> str:
    """The findings of a run as one HTML file, smaller than 5 MB."""
    _check(findings)
    page = ""
    for limits in STEPS:
        page = _page(findings, limits)
        if len(page.encode()) < LARGEST:
            break
    return page


def write_page(findings: Mapping[str, Any], path: str | Path) -> Path:
    """Write the page, whole or not at all; its path."""
    page, target = render(findings), Path(path)
    with written_aside(target) as aside:
        aside.write_text(page, "utf-8", newline="\n")
    return target


def _check(findings: Mapping[str, Any]) -> None:
    kind, version = findings.get("kind"), findings.get("format")
    if kind != "findings" or version != FORMAT:
        raise DataError(
            f"not findings that this version can draw: {kind=}, format={version!r} instead of "
            f"'findings', format={FORMAT}; make them with this version of slad"
        )
    missing = sorted(_NEEDED - findings.keys())
    if missing:
        raise DataError(f"the findings lack {missing}; make them with this version of slad")


def _page(findings: Mapping[str, Any], limits: Limits) -> str:
    columns = Columns(findings["columns"])
    parts = {
        "scores": distribution(findings),
        "rows": strangest(findings, columns, limits),
        "blame": blame(findings, columns, limits),
        "evaluation": evaluation(findings),
        "checks": checks(findings),
        "data": _data(findings, limits),
        "reproduce": reproduce(findings),
        "reading": reading(),
    }
    anchors = {anchor: _NAMES[anchor] for anchor, part in parts.items() if part is not None}
    style, script = _own("style.css"), _own("page.js")
    title = f"{headline(findings['counts'])}: {cut_name(findings['title'], 80)}"
    return Template(_own("template.html")).substitute(
        policy=_policy(style, script),
        title=escaped(title),
        style=style,
        header=page_header(findings, anchors),
        symbols=columns.symbols(),
        main=joined(top(findings, limits), *parts.values()),
        script=script,
    )


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded, and only this very style and script may act."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _own(name: str) -> str:
    return files("slad.report").joinpath(name).read_text("utf-8")


def _data(findings: Mapping[str, Any], limits: Limits) -> Html:
    notes = findings["notes"]
    shown = [tag("li", cut(note, limits.sentence)) for note in notes[:_MOST_NOTES]]
    left = len(notes) - len(shown)
    return section(
        "data",
        "The data",
        tag("ul", *shown, class_="notes") if shown else None,
        tag("p", f"{left} more notes not shown.", class_="cut") if left else None,
        table(findings, limits),
    )
