"""`slad score MODEL FILE`: score a table with a saved model."""

from __future__ import annotations

import argparse
from typing import Any

from slad.cli import options as shared
from slad.cli.large_score import out_is_folder, score_by_engine, score_to_folder
from slad.cli.output import write_results
from slad.cli.parser import add_command
from slad.cli.paths import check_files
from slad.cli.progress import Steps
from slad.cli.scored_table import load_model, score_file


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "score",
        run,
        takes="MODEL FILE",
        summary="score a table with a saved model",
        description="Score every row of a table with a model that `slad fit` wrote, decide which "
        "rows are strange, and print the strangest with reasons. Columns may come in any order; "
        "new ones are ignored, a missing one is an error. If --out is a folder, files of any "
        "number and size are scored in batches, each into an output file of its own; the same "
        "command resumes a job that was stopped.",
        example="""
            slad score orders.slad today.csv --out scores.csv
            slad score orders.slad 'orders/*.parquet' --out scores/
            slad score orders.slad today.csv --fdr 10% --fail-on-anomaly
        """,
    )
    shared.add_model(parser)
    shared.add_table(parser)
    group = parser.add_argument_group("columns")
    group.add_argument(
        "--id", metavar="COL", help="column that identifies a row (default: the model's)"
    )
    shared.add_label(group)
    shared.add_rule(parser, default="the model's own")
    shared.add_output(parser, folder=", and a folder (folder/) takes one file per input file")
    parser.add_argument(
        "--engine",
        choices=("spark", "ray", "dask"),
        help="score a folder of Parquet files on this engine, into the new folder --out",
    )
    shared.add_device(parser)


def run(options: argparse.Namespace) -> int:
    if options.engine is not None:
        return score_by_engine(options)
    if out_is_folder(options):
        return score_to_folder(options)
    check_files(options, options.file, model=options.model)
    steps = Steps(options.quiet)
    scored = score_file(load_model(options), options, steps)
    return write_results(scored, options, steps, default_rule=False)
