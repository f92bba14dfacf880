"""slad report: tables and pictures of recorded runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "report",
        help="tables and pictures of recorded runs",
        description="Make tables (Markdown, CSV) and pictures (PNG, SVG) of the JSON records of "
        "an experiment, and show the main tables. Nothing is run; torch is not needed.",
    )
    parser.add_argument(
        "folders", nargs="+", type=Path, metavar="FOLDER", help="folder of records, all below it"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where to write (default: report/<experiment>)"
    )
    parser.add_argument("--no-pictures", action="store_true", help="write tables only")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Build the reports and print them."""
    from slad.reports import build

    print(build(options.folders, options.out, pictures=not options.no_pictures), end="")
    return 0
