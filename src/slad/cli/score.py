"""`slad score MODEL FILE`: judge a table with a saved model."""

from __future__ import annotations

import argparse
from typing import Any

from slad.cli import options as shared
from slad.cli.large_score import asks_for_parts, score_by_engine, score_parts
from slad.cli.output import tell
from slad.cli.parser import add_command
from slad.cli.paths import check_files
from slad.cli.progress import Steps
from slad.cli.scored_table import judge_new, load_model


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "score",
        run,
        takes="MODEL FILE",
        summary="judge a table with a saved model",
        description="Score and decide every row of a table with a model that `slad fit` wrote, "
        "and print the strangest rows with the reasons. Columns may come in another order; new "
        "ones are ignored, a missing one is an error. With a folder for --out, files of any number "
        "and size are scored in batches, a part for each; a job that was killed goes on.",
        example="""
            slad score orders.slad today.csv --out scores.csv
            slad score orders.slad 'orders/*.parquet' --out scores/
            slad score orders.slad today.csv --fdr 10% --fail-on-anomaly
        """,
    )
    shared.add_model(parser)
    shared.add_table(parser)
    group = parser.add_argument_group("columns")
    group.add_argument("--id", metavar="COL", help="column that names a row (else the model's)")
    shared.add_label(group)
    shared.add_rule(parser, default="the model's own")
    shared.add_output(parser)
    parser.add_argument(
        "--engine",
        choices=("spark", "ray", "dask"),
        help="score a Parquet folder into the folder --out on that engine, as it is set up here",
    )
    shared.add_device(parser)


def run(options: argparse.Namespace) -> int:
    if options.engine is not None:
        return score_by_engine(options)
    if asks_for_parts(options):
        return score_parts(options)
    check_files(options, options.file, model=options.model)
    steps = Steps(options.quiet)
    scored = judge_new(load_model(options), options, steps)
    return tell(scored, options, steps, default_rule=False)
