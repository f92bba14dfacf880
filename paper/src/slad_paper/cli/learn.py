"""`slad learn-signals`: learn the weights of `LearnedSignals` again, from the one-class tables."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from slad.cli.parser import add_command


def add_parser(commands: Any) -> None:
    """Add `learn-signals` to the parser of the main program."""
    parser = add_command(
        commands,
        "learn-signals",
        run,
        takes="",
        summary="learn the weights of the default detector again",
        description="Learn the weights of LearnedSignals from the 867 one-class tables under the "
        "data root, judge every table by weights that never saw its source, and write the file, "
        "its card and the records. What an interrupted start has computed of the tables is kept.",
        example="slad learn-signals --out weights/ --records results/tables",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("weights"), metavar="DIR", help="where the weights go"
    )
    parser.add_argument(
        "--inputs",
        type=Path,
        metavar="DIR",
        help="where the signals of the tables are kept, 4 GB (default: inputs/ in --out)",
    )
    parser.add_argument(
        "--records",
        type=Path,
        default=Path("results/tables"),
        metavar="DIR",
        help="where the records of the cross-validation go (default: results/tables)",
    )
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="processes"
    )


def run(options: argparse.Namespace) -> int:
    from slad_paper.signals.learning import steps

    inputs = options.inputs or options.out / "inputs"
    for said in steps(inputs, options.out, options.records, options.workers):
        print(f"slad: {said}", file=sys.stderr, flush=True)
    return 0
