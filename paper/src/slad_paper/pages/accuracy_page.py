"""The tables of docs/accuracy.md, from the records of tables, planted-errors and adbench."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from slad.core.errors import DataError
from slad_paper.pages import neighbor_scale_page, planted_errors, statistics
from slad_paper.pages.blocks import filled, lines_of, rewrite
from slad_paper.pages.cases import read_cases
from slad_paper.pages.one_class import CROSS_VALIDATED, SAW_THEM
from slad_paper.pages.one_class_cases import in_cases
from slad_paper.pages.standings import TITLES

OURS = "learned-signals"
SHOWN = 10
"""Detectors in a table, the best."""

Rows = Iterator[Sequence[str]]


def case(name: str, results: Path) -> Rows:
    """Means over the sources in a case of the one-class tables, and p against ours."""
    columns = [word for title in TITLES.values() for word in (title, "p")]
    yield "detector", *columns
    found = next(each for each in in_cases(read_cases(results / "tables")) if each.case == name)
    kept = [at for at, each in enumerate(found.names) if each != SAW_THEM]
    names = [found.names[at] for at in kept]
    ours = names.index(CROSS_VALIDATED)
    cells: dict[str, list[str]] = {each: [] for each in names}
    order: dict[str, float] = dict.fromkeys(names, 0.0)
    for metric in TITLES:
        values = found.over_groups(metric)[:, kept]
        others = [(ours, at) for at in range(len(names)) if at != ours]
        tests = {names[each.second]: each for each in statistics.pairwise(values, others)}
        for each, mean in zip(names, values.mean(axis=0), strict=True):
            p = neighbor_scale_page.chance(tests[each].p_holm) if each in tests else ""
            cells[each] += [f"{mean:.3f}", p]
            order[each] += mean
    for each in sorted(names, key=lambda each: -order[each])[:SHOWN]:
        yield (each if " " in each else f"`{each}`"), *cells[each]


def planted(results: Path) -> Rows:
    """The part of the planted errors among the strangest rows, by kind."""
    means = planted_errors.means(read_cases(results / "planted-errors"))
    yield "detector", *next(iter(means.values()))
    for name in sorted(means, key=lambda name: -(means[name][planted_errors.OVERALL] or 0)):
        shown = ("–" if value is None else f"{value:.3f}" for value in means[name].values())
        yield f"`{name}`", *shown


TABLES: dict[str, Callable[[Path], Rows]] = {
    **{name: partial(case, name) for name in ("clean", "own", "mixed")},
    "planted": planted,
    "adbench": partial(neighbor_scale_page.adbench, ours=OURS),
    "losses": partial(neighbor_scale_page.losses, ours=OURS),
}


def table(results: Path, name: str) -> list[str]:
    """The lines of a table."""
    if name not in TABLES:
        raise DataError(f"no table {name!r} on this page; its tables are: {', '.join(TABLES)}")
    return lines_of(TABLES[name](results))


def build(root: Path) -> None:
    """Write the tables of the page anew."""
    results = root / "paper" / "results"
    rewrite(root / "docs" / "accuracy.md", lambda text: filled(text, partial(table, results)))
