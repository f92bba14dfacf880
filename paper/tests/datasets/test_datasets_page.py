"""docs/datasets.md lists what the catalog holds. Run this file to print the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from slad_paper.datasets import find, groups, names
from slad_paper.datasets.progress import human

PAGE = Path(__file__).parents[2] / "docs" / "datasets.md"


def table() -> Iterator[str]:
    for group in groups():
        yield f"### {group}"
        yield ""
        yield "| name | rows | features | anomalies | size | licence | note |"
        yield "|---|---:|---:|---:|---:|---|---|"
        for name in names(group):
            entry = find(name)
            size = "built in" if not entry.files else human(entry.bytes) if entry.bytes else "?"
            numbers = f"{entry.rows:,} | {entry.features:,} | {entry.anomalies:,}"
            yield f"| {name} | {numbers} | {size} | {entry.licence} | {_note(name)} |"
        yield ""


def _note(name: str) -> str:
    entry = find(name)
    lacks = [file for file in entry.files if not file.sha256]
    return f"{entry.note} {'No checksum known yet.' if lacks else ''}".strip()


def test_the_page_lists_the_catalog():
    listed = PAGE.read_text(encoding="utf-8").split("## The list\n\n")[1]
    assert listed.rstrip() == "\n".join(table()).rstrip()


if __name__ == "__main__":
    print("\n".join(table()).rstrip())
