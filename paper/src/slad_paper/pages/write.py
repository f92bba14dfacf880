"""Writing a report: Markdown, CSV and SVG pictures, each file whole or not at all."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from slad.core.files import written_aside
from slad_paper.pages.document import Report, Value, as_markdown

MISSING = "no pictures, matplotlib is not installed: pip install 'slad-paper[pictures]'"


def write(report: Report, out: Path, *, pictures: bool = True) -> list[Path]:
    """Write all files of a report into the folder `out`; their paths."""
    out.mkdir(parents=True, exist_ok=True)
    written = _pictures(report, out) if pictures and can_draw() else []
    drawn = {path.stem.removeprefix(f"{report.name}-") for path in written}
    for name, rows in report.data.items():
        if rows:
            path = out / f"{report.name}-{name}.csv"
            _csv(path, rows)
            written.append(path)
    path = out / f"{report.name}.md"
    with written_aside(path) as aside:
        aside.write_text(as_markdown(report, drawn), "utf-8")
    return [path, *written]


def can_draw() -> bool:
    """Whether matplotlib is there; says on stderr what to install when it is not."""
    try:
        there = find_spec("matplotlib") is not None
    except (ImportError, ValueError):  # ValueError: a None in sys.modules
        there = False
    if not there:
        print(MISSING, file=sys.stderr)
    return there


def _pictures(report: Report, out: Path) -> list[Path]:
    from slad_paper.pages.pictures import style

    paths = []
    with style():
        for picture in report.pictures():
            path = out / f"{report.name}-{picture.name}.svg"
            with written_aside(path) as aside:
                picture.draw().savefig(aside, format="svg", metadata={"Date": None})
            paths.append(path)
    return paths


def _csv(path: Path, rows: Sequence[dict[str, Value]]) -> None:
    """Floats with all their digits, nothing for None."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    with written_aside(path) as aside, aside.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
