"""The page of the whole reproduction: every claim of the paper, item by item, with its verdict.

    python -m slad_paper.pages.reproduction              # of results/, into docs/reproduction.md

Verdicts and figures are those of the items' own reports; nothing is written by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from slad.core.files import written_aside
from slad_paper.pages import EXPERIMENTS
from slad_paper.pages.cases import holds_cases, read_cases
from slad_paper.pages.claims import FAILS, HEADER, HOLDS, PARTLY
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, as_markdown, plain
from slad_paper.pages.records import read

ITEMS = {
    "effectiveness": "main table",
    "adbench": "appendix, ADBench table",
    "variety": "figure of complicated normal data",
    "inlier-priority": "figure of losses during training",
    "class-dependency": "figure of losses by class",
    "ablation": "ablation table",
    "contamination": "appendix, figure of contaminated training data",
    "scalability": "appendix, figure of execution times",
    "sensitivity": "appendix, figure of hyper-parameters",
    "bound": "lemma and theorem on useful subspaces, and their figure",
    "gradients": "inlier-priority theory",
    "representation": "future direction (i)",
    "series": "future direction (ii)",
    "interpretation": "future direction (iii)",
}
"""Experiment -> what of the paper it reproduces, in the order of the page."""

ABOUT = (
    "Every table and figure of Xu et al., ICML 2023, run again: slad reproduce NAME makes the "
    "records of an item, slad report results/NAME its page without running anything.",
    "A claim is a sentence of the paper's text (of a future direction, a question it raises). It "
    "holds, holds partly or does not hold on the data at hand; the thresholds stand in the code of "
    "each report.",
    "slad-released is the authors' released code, slad-paper what the text says, slad-subspaces "
    "our settings of the same method, slad our default, another one: fidelity.md and accuracy.md "
    "tell them apart. The printed figures come from the released code.",
    "Not at hand: Amazon (tab), Yelp (tab), 14 of ADBench's 47 tables; UNSW-NB15 is rebuilt.",
)


@dataclass(frozen=True)
class Item:
    """An experiment with its claims, as its own report shows them; no report without records."""

    name: str
    report: Report | None

    @property
    def claims(self) -> list[Table]:
        parts: Sequence[Part] = (*self.report.brief, *self.report.details) if self.report else ()
        return [part for part in parts if isinstance(part, Table) and part.header == HEADER]

    def verdicts(self) -> Counter[str]:
        return Counter(row[1].text for table in self.claims for row in table.rows)


def items(results: Path) -> list[Item]:
    return [Item(name, _report(name, results / name)) for name in ITEMS if name in EXPERIMENTS]


def _report(name: str, folder: Path) -> Report | None:
    if not folder.is_dir():
        return None
    records: Sequence[Any] = read_cases(folder) if holds_cases(folder) else read(folder)
    made: Report = import_module(EXPERIMENTS[name]).report(records)
    return made


def page(results: Path) -> str:
    """The page as Markdown."""
    found = items(results)
    return as_markdown(
        Report(
            name="reproduction",
            title="The paper, reproduced",
            brief=[Notes(ABOUT), Heading("Summary"), _summary(found), *_parts(found)],
        )
    )


def _summary(found: Sequence[Item]) -> Table:
    header = ["item", "of the paper", HOLDS, PARTLY, FAILS]
    rows = []
    for item in found:
        verdicts = item.verdicts()
        counts = [verdicts[each] or "–" for each in (HOLDS, PARTLY, FAILS)]
        known = counts if item.report else ["no records"] * len(counts)
        rows.append(plain([item.name, ITEMS[item.name], *known]))
    return Table(header, rows)


def _parts(found: Sequence[Item]) -> Iterator[Part]:
    for item in found:
        linked = f"[{item.name}](results/{item.name}.md)" if item.report else item.name
        yield Heading(f"{linked}: {ITEMS[item.name]}")
        if item.report is None:
            yield Notes([f"no records yet: slad reproduce {item.name}"])
            continue
        yield from item.claims
        if not item.claims:
            yield Notes(["no claim to judge"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--out", type=Path, default=Path("docs/reproduction.md"))
    options = parser.parse_args()
    text = page(options.results)
    with written_aside(options.out) as aside:
        aside.write_text(text, "utf-8")
    print(f"wrote {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
