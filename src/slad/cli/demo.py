"""`slad demo`: run `slad detect` on a generated table and compare with the truth."""

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
        summary="try slad on a small generated table",
        description="Write a table of 367 clinic visits with real measurements of tumours. Ten "
        "tumours are malignant, and eight other rows are corrupted on purpose. Then run `slad "
        "detect` on the table and compare the flagged rows with the truth.",
        example="""
            slad demo --out slad-demo
        """,
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("slad-demo"),
        metavar="DIR",
        help="folder for all files (default: slad-demo)",
    )
    parser.add_argument(
        "--detector", metavar="NAME", help="detector for `slad detect` (default: auto)"
    )
    parser.add_argument("--quiet", action="store_true", help="print only warnings on stderr")


def run(options: argparse.Namespace) -> int:
    from slad.cli import main
    from slad.cli.demo_table import visits

    folder: Path = options.out
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"--out {folder} is a file; use a folder")
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
    """Compare the flagged rows with what the detector was not told."""
    import csv

    with open(folder / "scores.csv", newline="", encoding="utf-8") as file:
        scores = list(csv.DictReader(file))
    scores.sort(key=lambda row: -float(row["score"]))
    ranks = {int(row["row"]) - 1: rank for rank, row in enumerate(scores, start=1)}
    found = [row for row, rank in ranks.items() if rank <= FLAGGED]
    planted = sum(row in table.planted for row in found)
    tumours = sum(row in table.tumours for row in found)
    lines = [
        f"\nThe detector was not told which rows are anomalies. The {FLAGGED} flagged rows are:",
        f"  {tumours:>2} of the {len(table.tumours)} malignant tumours",
        f"  {planted:>2} of the {len(table.planted)} rows corrupted on purpose",
        f"  {len(found) - tumours - planted:>2} others\n",
        "The corrupted rows and their ranks:",
    ]
    for row in sorted(table.planted, key=lambda row: ranks[row]):
        lines.append(f"  {ranks[row]:>3}. {table.rows[row]['patient']}  {table.planted[row]}")
    places = ", ".join(str(rank) for rank in sorted(ranks[row] for row in table.tumours))
    return [
        *lines,
        f"The ranks of the malignant tumours: {places}",
        "\nThis is one small table, not a benchmark; docs/accuracy.md has measurements.",
        f"The report is {folder / 'report.html'}; open it in a browser.",
    ]
