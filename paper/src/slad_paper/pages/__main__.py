"""Write the committed pages from the committed records, all of them or those named.

python -m slad_paper.pages [NAME ...]        # in the root of the repository
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from slad.core.names import unknown
from slad_paper.pages import (
    EXPERIMENTS,
    RUNS,
    accuracy_page,
    culprits,
    detectors_page,
    false_alarms,
    neighbor_scale_page,
    read_report,
    reproduction,
    scale_page,
)
from slad_paper.pages.document import Report
from slad_paper.pages.write import write

Page = Callable[[Path], object]
"""Writes a page; it is given the root of the repository."""


def reports_of(results: Path) -> dict[str, Callable[[], Report]]:
    """Every committed page that is a whole report, by name."""
    found: dict[str, Callable[[], Report]] = {
        name: partial(read_report, results / name) for name in EXPERIMENTS
    }
    found["culprits"] = partial(culprits.read_report, results / "culprits")
    found["false-alarms"] = partial(
        false_alarms.read_report, results / "false-alarms", results / "score-errors"
    )
    return found


def _write_report(name: str, root: Path) -> None:
    report = reports_of(root / "paper" / "results")[name]()
    data = {file: rows for file, rows in report.data.items() if file != RUNS}
    write(replace(report, data=data), root / "paper" / "docs" / "results")


PAGES: dict[str, Page] = {
    **{name: partial(_write_report, name) for name in reports_of(Path())},
    "reproduction": reproduction.build,
    "accuracy": accuracy_page.build,
    "neighbor-scale": neighbor_scale_page.build,
    "scale": scale_page.build,
    "detectors": detectors_page.build,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m slad_paper.pages", description="Write the committed pages."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PAGES)}")
    parser.add_argument("--root", type=Path, default=Path(), help="of the repository (default: .)")
    options = parser.parse_args()
    for name in options.names or PAGES:
        if name not in PAGES:
            raise unknown("page", name, PAGES)
        print(f"slad: {name}", file=sys.stderr)
        PAGES[name](options.root)


if __name__ == "__main__":
    main()
