"""The figures in the table of docs/detectors.md, from the records of adbench and speed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slad.core.errors import DataError
from slad_paper.pages import adbench
from slad_paper.pages.blocks import rewrite
from slad_paper.pages.document import markdown_line
from slad_paper.pages.names import today
from slad_paper.pages.records import read
from slad_paper.pages.tables import NOTHING

HEADER = (
    "name",
    "good for",
    "keeps training data",
    "fit, s",
    "score, s",
    "AUC-ROC, AUC-PR",
    "avg. rank",
)
WORDS = 3
"""The number of columns before the figures."""


@dataclass(frozen=True)
class Figures:
    """Figures of the records, by the names of detectors."""

    seconds: Mapping[str, tuple[float, float]]
    """To fit and to score."""
    means: Mapping[str, tuple[float, float]]
    """AUC-ROC and AUC-PR on ADBench."""
    ranks: Mapping[str, tuple[float, float]]

    @classmethod
    def read(cls, results: Path) -> Figures:
        """Of a folder of records; missing ones are left out."""
        return cls(
            _costs(results / "speed" / "cost-cpu.json"),
            _standings(results / "adbench", "mean"),
            _standings(results / "adbench", "rank"),
        )

    def cells(self, name: str) -> list[str]:
        costs = self.seconds.get(name)
        return [
            *([f"{seconds:.2g}" for seconds in costs] if costs else [NOTHING, NOTHING]),
            _both(self.means.get(name), ".3f"),
            _both(self.ranks.get(name), ".1f"),
        ]


def _costs(path: Path) -> dict[str, tuple[float, float]]:
    if not path.exists():
        return {}
    record = json.loads(path.read_text("utf-8"))
    return {
        today(name, record["environment"]): (each["seconds"]["fit"], each["seconds"]["score"])
        for name, each in record["result"]["detectors"].items()
    }


def _standings(folder: Path, column: str) -> dict[str, tuple[float, float]]:
    if not folder.is_dir():
        return {}
    rows = adbench.report(read(folder)).data["summary"]
    by_metric: dict[str, dict[str, float]] = {}
    for row in rows:
        by_metric.setdefault(str(row["metric"]), {})[str(row["detector"])] = float(row[column] or 0)
    roc, pr = by_metric.get("auc_roc", {}), by_metric.get("auc_pr", {})
    return {name: (roc[name], pr[name]) for name in roc}


def _both(pair: tuple[float, float] | None, form: str) -> str:
    return NOTHING if pair is None else ", ".join(format(value, form) for value in pair)


def filled(page: str, figures: Figures) -> str:
    """The page with new figures in its table."""
    lines = page.split("\n")
    start = _table_start(lines)
    end = next((at for at in range(start, len(lines)) if not lines[at].startswith("|")), len(lines))
    for at in range(start + 2, end):
        cells = _cells(lines[at])
        lines[at] = markdown_line([*cells[:WORDS], *figures.cells(cells[0].strip("`"))])
    return "\n".join(lines)


def listed(page: str) -> dict[str, list[str]]:
    """Detector -> the words of its row."""
    lines = page.split("\n")
    found: dict[str, list[str]] = {}
    for line in lines[_table_start(lines) + 2 :]:
        if not line.startswith("|"):
            break
        name, *words = _cells(line)[:WORDS]
        found[name.strip("`")] = words
    return found


def _table_start(lines: Sequence[str]) -> int:
    header = markdown_line(HEADER)
    if header not in lines:
        raise DataError(f"the page has no table with the header {header!r}")
    return lines.index(header)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def build(root: Path) -> None:
    """Write the figures of the page anew."""
    figures = Figures.read(root / "paper" / "results")
    rewrite(root / "docs" / "detectors.md", lambda page: filled(page, figures))
