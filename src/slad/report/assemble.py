"""The page: all parts in one HTML file that loads nothing else."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template

from slad.core.files import written_aside
from slad.model.findings import Findings
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

_MOST_NOTES = 40

_NAMES = {
    "scores": "Scores",
    "rows": "Rows",
    "blame": "Columns",
    "evaluation": "Known labels",
    "checks": "Checks",
    "data": "Data",
    "reproduce": "Reproduce",
    "reading": "How to read",
}


def render(findings: Findings) -> str:
    """The findings as one HTML page, smaller than 5 MB."""
    page = ""
    for limits in STEPS:
        page = _page(findings, limits)
        if len(page.encode()) < LARGEST:
            break
    return page


def write_page(findings: Findings, path: str | Path) -> Path:
    """Write the page, whole or not at all; return its path."""
    page, target = render(findings), Path(path)
    with written_aside(target) as aside:
        aside.write_text(page, "utf-8", newline="\n")
    return target


def _page(findings: Findings, limits: Limits) -> str:
    columns = Columns(findings.columns)
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
    title = f"{headline(findings.counts)}: {cut_name(findings.title, 80)}"
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
    """A content-security policy: load nothing, and use only this style and this script."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _own(name: str) -> str:
    return files("slad.report").joinpath(name).read_text("utf-8")


def _data(findings: Findings, limits: Limits) -> Html:
    notes = findings.notes
    shown = [tag("li", cut(note, limits.sentence)) for note in notes[:_MOST_NOTES]]
    left = len(notes) - len(shown)
    return section(
        "data",
        "The data",
        tag("ul", *shown, class_="notes") if shown else None,
        tag("p", f"{left} more notes are not shown.", class_="cut") if left else None,
        table(findings, limits),
    )
