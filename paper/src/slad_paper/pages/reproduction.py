"""The page of the whole reproduction: every claim of the paper, item by item, with its verdict.

Verdicts and figures are taken from the items' own reports; nothing is written by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from slad.core.files import written_aside
from slad_paper.pages import read_report
from slad_paper.pages.claims import FAILS, HEADER, HOLDS, PARTLY
from slad_paper.pages.document import Heading, Notes, Part, Report, Table, as_markdown
from slad_paper.pages.names import ABOUT_SUBSPACES, NEIGHBOR_SCALE
from slad_paper.pages.tables import NOTHING, table

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
    "records of an item, slad report paper/results/NAME its page without running anything.",
    "A claim is a sentence of the paper's text (of a future direction, a question it raises). It "
    "holds, holds partly or does not hold on the data at hand; the thresholds are in the code of "
    "each report.",
    "slad-released is the authors' released code, slad-paper the text of the paper; "
    f"{ABOUT_SUBSPACES}. {NEIGHBOR_SCALE} is our own, another method. fidelity.md and "
    "neighbor-scale.md say how they differ. The printed figures come from the released code.",
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
    return [
        Item(name, read_report(folder) if (folder := results / name).is_dir() else None)
        for name in ITEMS
    ]


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
        counts = [verdicts[each] or NOTHING for each in (HOLDS, PARTLY, FAILS)]
        known = counts if item.report else ["no records"] * len(counts)
        rows.append([item.name, ITEMS[item.name], *known])
    return table(header, rows)


def _parts(found: Sequence[Item]) -> Iterator[Part]:
    for item in found:
        linked = f"[{item.name}](results/{item.name}.md)" if item.report else item.name
        yield Heading(f"{linked}: {ITEMS[item.name]}")
        if item.report is None:
            yield Notes([f"no records yet: slad reproduce {item.name}"])
            continue
        yield from item.claims
        if not item.claims:
            yield Notes(["no claim"])


def build(root: Path) -> None:
    """Write the page."""
    path = root / "paper" / "docs" / "reproduction.md"
    with written_aside(path) as aside:
        aside.write_text(page(root / "paper" / "results"), "utf-8")
    print(f"wrote {path}")
