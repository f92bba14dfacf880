"""`slad fit FILE --out MODEL`: learn, calibrate and save."""

from __future__ import annotations

import argparse
from typing import Any

from slad.cli import options as shared
from slad.cli.detect import fit, make_model
from slad.cli.judging import command
from slad.cli.outputs import check_inputs, check_outputs, write_manifest
from slad.cli.parser import add_command
from slad.cli.steps import Steps
from slad.core.errors import ConfigError


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "fit",
        run,
        takes="FILE --out MODEL",
        summary="learn what is normal in a table, and save the model",
        description="Learn what is normal in a table, calibrate on rows held out, and write one "
        "file that `slad score` and `slad explain` read. The file holds some rows of the table, "
        "to compare strange ones with.",
        example="""
            slad fit last_year.parquet --id order --clean --out orders.slad
        """,
    )
    shared.add_table(parser, "the table to learn from")
    shared.add_columns(parser)
    parser.add_argument(
        "--clean", action="store_true", default=None, help="the rows are known to be normal"
    )
    shared.add_detector(parser)
    shared.add_rule(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--out", metavar="MODEL", help="the file to write; needed")
    shared.add_run(group)


def run(options: argparse.Namespace) -> int:
    from slad.cli.info import described
    from slad.pipeline import run_facts
    from slad.tables import read

    if options.out is None or options.out == "-":
        raise ConfigError("a model needs a file: give --out MODEL, such as --out orders.slad")
    check_inputs(options.file)
    check_outputs(options, options.file)
    steps = Steps(options.quiet)
    model = make_model(options, steps, own_rows=False, clean=bool(options.clean))
    with steps("read", f"reading {options.file}"):
        table = read(options.file)
    fit(model, table, steps)
    model.save(options.out)
    found = run_facts(command(options), steps.seconds) | described(model)
    write_manifest(options, found, steps)
    print(f"{options.out}: a model of {table.frame.num_rows:,} rows of {table.name}")
    print(found["rule"]["sentence"])
    return 0
