"""`slad demo`: the whole job on a table made here, and then the truth about it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slad.cli.parser import add_command
from slad.core.errors import ConfigError

if TYPE_CHECKING:
    from slad.cli.demo_table import Visits

FLAGGED = 20


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "demo",
        run,
        takes="",
        summary="try it all on a small table of clinic visits",
        description="Make a table of 367 visits around real measurements of tumours: ten of them "
        "are malignant, and eight other rows are spoilt on purpose. Run `slad detect` on it, then "
        "tell which of the rows it found are which.",
        example="""
            slad demo --out slad-demo
        """,
    )
    parser.add_argument(
        "--out", type=Path, default=Path("slad-demo"), metavar="DIR", help="default: slad-demo"
    )
    parser.add_argument("--detector", metavar="NAME", help="default: that of slad detect")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")


def run(options: argparse.Namespace) -> int:
    from slad.cli import main
    from slad.cli.demo_table import visits

    folder: Path = options.out
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"--out {folder} is a file: give a folder")
    folder.mkdir(parents=True, exist_ok=True)
    table = visits()
    table.write(folder / "visits.csv")
    words = ["detect", str(folder / "visits.csv"), "--id", "patient", "--top", str(FLAGGED)]
    if options.detector:
        words += ["--detector", options.detector]
    words += ["--out", str(folder / "scores.csv"), "--report", str(folder / "report.html")]
    if options.quiet:
        words.append("--quiet")
    print(f"$ slad {' '.join(words)}\n", flush=True)
    code = main(words)
    if code == 0:
        print("\n".join(_truth(table, folder)))
    return code


def _truth(table: Visits, folder: Path) -> list[str]:
    """What the flagged rows are, strangest first, from what the detector was not told."""
    import csv

    with open(folder / "scores.csv", newline="", encoding="utf-8") as file:
        scores = list(csv.DictReader(file))
    scores.sort(key=lambda row: -float(row["score"]))
    ranks = {int(row["row"]) - 1: rank for rank, row in enumerate(scores, start=1)}
    found = [row for row, rank in ranks.items() if rank <= FLAGGED]
    planted = sum(row in table.planted for row in found)
    tumours = sum(row in table.tumours for row in found)
    lines = [
        f"\nThe truth, which the detector was not told. The {FLAGGED} rows flagged are:",
        f"  {tumours:>2} of the {len(table.tumours)} malignant tumours",
        f"  {planted:>2} of the {len(table.planted)} rows spoilt on purpose",
        f"  {len(found) - tumours - planted:>2} others\n",
        "The spoilt rows, by rank:",
    ]
    for row in sorted(table.planted, key=lambda row: ranks[row]):
        lines.append(f"  {ranks[row]:>3}. {table.rows[row]['patient']}  {table.planted[row]}")
    places = ", ".join(str(rank) for rank in sorted(ranks[row] for row in table.tumours))
    return [
        *lines,
        f"The tumours, by rank: {places}",
        "\nA show on one small table, not a measurement; docs/results has those.",
        f"Open {folder / 'report.html'}",
    ]
