"""The figures in the table of docs/detectors.md, from the records; its words stay as they are.

python -m slad_paper.pages.detectors_page          # of results/adbench and results/speed
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slad.core.errors import DataError
from slad.core.files import written_aside
from slad_paper.pages import adbench
from slad_paper.pages.records import read

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
"""Columns before the figures."""
NOTHING = "–"


@dataclass(frozen=True)
class Figures:
    """What the records say, by the names of detectors."""

    seconds: Mapping[str, tuple[float, float]]
    """To fit and to score."""
    means: Mapping[str, tuple[float, float]]
    """AUC-ROC and AUC-PR on ADBench."""
    ranks: Mapping[str, tuple[float, float]]

    @classmethod
    def read(cls, results: Path) -> Figures:
        """Of a folder of records; what is not recorded is left out."""
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
    found = json.loads(path.read_text("utf-8"))["result"]["detectors"]
    return {
        name: (each["seconds"]["fit"], each["seconds"]["score"]) for name, each in found.items()
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
    """The page with the figures of its table made anew."""
    lines = page.split("\n")
    start = _table_start(lines)
    end = next((at for at in range(start, len(lines)) if not lines[at].startswith("|")), len(lines))
    for at in range(start + 2, end):
        cells = _cells(lines[at])
        lines[at] = _line([*cells[:WORDS], *figures.cells(cells[0].strip("`"))])
    return "\n".join(lines)


def listed(page: str) -> dict[str, list[str]]:
    """The table's lines by the name of the detector: the words of each."""
    lines = page.split("\n")
    found: dict[str, list[str]] = {}
    for line in lines[_table_start(lines) + 2 :]:
        if not line.startswith("|"):
            break
        name, *words = _cells(line)[:WORDS]
        found[name.strip("`")] = words
    return found


def _table_start(lines: Sequence[str]) -> int:
    header = _line(HEADER)
    if header not in lines:
        raise DataError(f"the page has no table with the header {header!r}")
    return lines.index(header)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def build(page: Path, results: Path) -> None:
    """Write the page with the figures of the records."""
    made = filled(page.read_text("utf-8"), Figures.read(results))
    with written_aside(page) as aside:
        aside.write_text(made, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="The figures in the table of detectors.")
    parser.add_argument("--page", type=Path, default=Path("docs/detectors.md"))
    parser.add_argument("--results", type=Path, default=Path("results"))
    options = parser.parse_args()
    build(options.page, options.results)
    print(f"wrote {options.page}")


if __name__ == "__main__":
    main()
