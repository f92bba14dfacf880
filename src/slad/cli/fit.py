"""`slad fit FILES --out MODEL`: learn what is normal and save the model."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from slad.cli import options as shared
from slad.cli.detect import fit, make_model
from slad.cli.large_fit import fit_large, fit_shared, save, too_large
from slad.cli.option_types import byte_size
from slad.cli.parser import add_command
from slad.cli.paths import check_inputs, check_outputs
from slad.cli.progress import Steps
from slad.core.errors import ConfigError

if TYPE_CHECKING:
    from slad.model import TableDetector


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "fit",
        run,
        takes="FILE... --out MODEL",
        summary="learn what is normal in a table and save the model",
        description="Learn what is normal in a table, calibrate on held-out rows, and write a "
        "model file for `slad score` and `slad explain`. The file holds some rows of the table, "
        "to compare strange rows with. Of Parquet files that are larger than --memory, the "
        "paper's networks read all rows as a stream, and other detectors a random sample. "
        "torchrun shares the work among several processes.",
        example="""
            slad fit last_year.parquet --id order --clean --out orders.slad
            slad fit 'orders/*.parquet' --memory 500MB --out orders.slad
            torchrun --nproc-per-node 4 -m slad fit orders/ --out orders.slad
        """,
    )
    shared.add_table(parser, "table to learn from", several=True)
    shared.add_columns(parser)
    parser.add_argument(
        "--clean", action="store_true", default=None, help="all rows are known to be normal"
    )
    shared.add_detector(parser, auto="learned-signals, or slad with torchrun")
    shared.add_rule(parser)
    parser.add_argument(
        "--memory",
        type=byte_size,
        metavar="SIZE",
        help="size of the largest table to read as a whole, uncompressed (default: 2GB)",
    )
    group = parser.add_argument_group("output")
    group.add_argument("--out", metavar="MODEL", help="file for the model (required)")
    shared.add_run(group)


def run(options: argparse.Namespace) -> int:
    from slad.engines.torchrun import started_by_torchrun

    if options.out is None or options.out == "-":
        raise ConfigError("--out MODEL is required: a file for the model, as --out orders.slad")
    if started_by_torchrun():
        return fit_shared(options)
    check_inputs(*options.file)
    check_outputs(options, *options.file)
    table = too_large(options)
    steps = Steps(options.quiet)
    model = make_model(options, steps, own_rows=False, clean=bool(options.clean))
    if table is not None:
        return fit_large(options, model, table, steps)
    return _fit_whole(options, model, steps)


def _fit_whole(options: argparse.Namespace, model: TableDetector, steps: Steps) -> int:
    """Fit on a table that is read as a whole."""
    from slad.tables import read

    shown = options.file[0] if len(options.file) == 1 else f"{len(options.file)} files"
    with steps("read", f"reading {shown}"):
        table = read(options.file[0] if len(options.file) == 1 else options.file)
    fit(model, table, steps)
    save(options, model, steps, f"{table.frame.num_rows:,} rows of {table.name}")
    return 0
