"""`slad explain MODEL FILE`: explain why rows are strange."""

from __future__ import annotations

import argparse
from typing import Any

from slad.cli import options as shared
from slad.cli import text_output
from slad.cli.manifest import write_manifest
from slad.cli.option_types import positive_integer, row_numbers
from slad.cli.parser import add_command
from slad.cli.paths import STDOUT, check_files
from slad.cli.progress import Steps
from slad.cli.result_tables import reasons_table, write_table
from slad.cli.scored_table import ScoredTable, findings_of, load_model, score_file
from slad.core.errors import DataError


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "explain",
        run,
        takes="MODEL FILE",
        summary="explain why rows are strange, column by column",
        description="Explain rows of a table with a saved model: which columns make a row "
        "strange, what is usual in them, and what the nearest normal row holds. Without --rows "
        "or --ids, all flagged rows are explained.",
        example="""
            slad explain orders.slad today.csv --rows 3,17
            slad explain orders.slad today.csv --ids A-17 A-40 --out reasons.csv
        """,
    )
    shared.add_model(parser)
    shared.add_table(parser, "table that holds the rows")
    group = parser.add_argument_group("rows to explain")
    one = group.add_mutually_exclusive_group()
    one.add_argument("--rows", type=row_numbers, metavar="N,N", help="row numbers, counted from 1")
    one.add_argument("--ids", nargs="+", metavar="ID", help="ids of the rows")
    group.add_argument("--id", metavar="COL", help="column of the ids (default: the model's)")
    shared.add_rule(parser, default="the model's own")
    group = parser.add_argument_group("output")
    group.add_argument(
        "--reasons",
        type=positive_integer,
        metavar="N",
        help="largest number of reasons for a row (default: 5)",
    )
    group.add_argument(
        "--out", metavar="PATH", help="file for a table of all reasons; - writes CSV to stdout"
    )
    shared.add_device(group)
    shared.add_run(group)
    parser.set_defaults(label=None, positive=None)


def run(options: argparse.Namespace) -> int:
    check_files(options, options.file, model=options.model)
    steps = Steps(options.quiet)
    scored = score_file(load_model(options), options, steps)
    explanations = scored.explain(_chosen(scored, options), steps)
    found = findings_of(scored, explanations, options, steps)
    if options.out is not None:
        write_table(reasons_table(scored, explanations), options.out)
    write_manifest(options, found, steps)
    if not explanations:
        steps.say("no row is flagged; use --rows N to explain any row")
    if options.out != STDOUT:
        for line in text_output.explained(found, options.reasons):
            print(line)
    return 0


def _chosen(scored: ScoredTable, options: argparse.Namespace) -> list[int]:
    if options.rows is not None:
        count = len(scored.judgement.scores)
        for row in options.rows:
            if not 1 <= row <= count:
                raise DataError(f"--rows {row}: {scored.table.name} has rows 1 to {count}")
        return [row - 1 for row in options.rows]
    if options.ids is not None:
        return _with_ids(scored, options.ids)
    return scored.strangest(least=0)


def _with_ids(scored: ScoredTable, wanted: list[str]) -> list[int]:
    if scored.ids is None:
        raise DataError("--ids: the model has no id column; name one with --id COL")
    rows = [row for row, name in enumerate(scored.ids) if name in set(wanted)]
    missing = set(wanted) - {scored.ids[row] for row in rows}
    if missing:
        raise DataError(f"--ids: {scored.table.name} has no row {', '.join(sorted(missing))}")
    return rows
