"""`slad fit` for tables larger than `--memory`: streamed, sampled, or shared by processes."""

from __future__ import annotations

import argparse
import os
import time
import warnings
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from slad.cli.auto_detector import choose_detector
from slad.cli.detect import fit, make_model, say_columns
from slad.cli.manifest import command, write_manifest
from slad.cli.option_types import size_text
from slad.cli.paths import STDOUT, check_inputs, check_outputs
from slad.cli.progress import Steps
from slad.core.errors import DataError, SladError
from slad.core.locks import held_alone

if TYPE_CHECKING:
    from slad.engines.ranks import Processes
    from slad.engines.shards import ParquetTable
    from slad.model import TableDetector

FIRST_SPEAKS = 10.0
"""Seconds that the other processes wait before they exit on an error: torchrun then stops the first
process, which reports the error."""
ENOUGH = 200_000
"""Rows of a sample for a detector that keeps only some of its rows."""


def too_large(options: argparse.Namespace) -> ParquetTable | None:
    """The table if it is larger than `--memory`; raise if it cannot be streamed."""
    from slad.engines.shards import ParquetTable

    if options.file == [STDOUT]:
        return None
    files = _files(options)
    if _streamable(files):
        table = ParquetTable.open(files)
        left_out = [*options.drop, *(name for name in (options.id, options.label) if name)]
        return table if table.size(left_out) > options.memory else None
    size = sum(file.stat().st_size for file in files)
    if size > options.memory:
        raise DataError(
            f"{files[0]}{' and the others' * (len(files) > 1)}: {size_text(size)} exceed "
            f"--memory ({size_text(options.memory)}), and only Parquet can be streamed; "
            "convert the table to Parquet, or raise --memory"
        )
    return None


def fit_large(
    options: argparse.Namespace, model: TableDetector, table: ParquetTable, steps: Steps
) -> int:
    """Fit in this process alone: on the stream if the detector can, else on a sample."""
    from slad.detectors import Capability, make
    from slad.engines.ranks import Processes

    if Capability.STREAM_FIT in make(model.detector).capabilities:
        return _fit_stream(options, model, table, steps, Processes())
    return _fit_sample(options, model, table, steps)


def fit_shared(options: argparse.Namespace) -> int:
    """Fit in the processes that torchrun started; the first one prints and writes."""
    from slad.engines.ranks import Ranks

    first = os.environ["RANK"] == "0"
    steps = Steps(bool(options.quiet) or not first)
    choose_detector(options, steps, shared=True)
    try:
        table = _shared_table(options)
        model = make_model(options, steps, own_rows=False, clean=bool(options.clean))
    except SladError:
        if first:
            raise
        time.sleep(FIRST_SPEAKS)
        return 1
    if not first:
        warnings.simplefilter("ignore")
    return _fit_stream(options, model, table, steps, Ranks(options.device))


def _shared_table(options: argparse.Namespace) -> ParquetTable:
    """The table, after the checks that come out the same in every process."""
    from slad.detectors import Capability, make, require
    from slad.engines.shards import ParquetTable, deal

    check_inputs(*options.file)
    check_outputs(options, *options.file)
    files = _files(options)
    if not _streamable(files):
        raise DataError(
            f"{files[0]}: several processes can only read Parquet; convert the table to Parquet"
        )
    detector = make(options.detector)
    require(Capability.SHARED_FIT, detector, options.detector, otherwise="run without torchrun")
    table = ParquetTable.open(files)
    deal(table.groups, int(os.environ["WORLD_SIZE"]))
    return table


def _fit_stream(
    options: argparse.Namespace,
    model: TableDetector,
    table: ParquetTable,
    steps: Steps,
    processes: Processes,
) -> int:
    from slad.engines.checkpoint import beside
    from slad.engines.fitting import fit_files

    by = f" by {processes.world} processes" if processes.world > 1 else ""
    size = f"{table.n_rows:,} rows of {len(table.schema)} columns"
    checkpoint = beside(Path(options.out))
    with ExitStack() as held:
        if processes.rank == 0:
            held.enter_context(held_alone(checkpoint, "use another --out"))
        with steps("fit", f"learning from {size} with {model.detector}, as a stream{by}"):
            fit_files(model, table.files, processes=processes, checkpoint=checkpoint, say=steps.say)
        if processes.rank == 0:
            say_columns(model, steps)
            save(options, model, steps, f"{table.n_rows:,} rows of {table.name}, streamed{by}")
            checkpoint.unlink(missing_ok=True)
    return 0


def _fit_sample(
    options: argparse.Namespace, model: TableDetector, table: ParquetTable, steps: Steps
) -> int:
    """Fit a detector that needs its rows in memory on a random sample of them.

    The model's notes say that it learned from a sample.
    """
    from slad.detectors import make
    from slad.engines.sampling import sample_rows

    left_out = [*options.drop, *(name for name in (options.id, options.label) if name)]
    count = int(table.n_rows * options.memory / table.size(left_out))
    if "max_rows" in make(model.detector).get_params():
        count = min(count, ENOUGH)
    with steps("read", f"reading {count:,} of {table.n_rows:,} rows"):
        loaded = sample_rows(table, count, seed=options.seed)
    fit(model, loaded, steps)
    save(options, model, steps, f"{count:,} of {table.n_rows:,} rows of {table.name}, a sample")
    return 0


def save(options: argparse.Namespace, model: TableDetector, steps: Steps, what: str) -> None:
    """Write the model and the manifest, and print what was written."""
    from slad.cli.info import described
    from slad.model import run_facts

    model.save(options.out)
    found = run_facts(command(options), steps.seconds) | described(model)
    write_manifest(options, found, steps)
    print(f"{options.out}: model fitted on {what}")
    print(found["rule"]["sentence"])


def _files(options: argparse.Namespace) -> list[Path]:
    from slad.tables.files import members, of_one_format

    files = [file for path in options.file for file in members(Path(path).expanduser())]
    return of_one_format(list(dict.fromkeys(files)), " and ".join(options.file[:3]))


def _streamable(files: list[Path]) -> bool:
    from slad.tables.files import file_format
    from slad.tables.formats import PARQUET, of_name

    return all(file_format(file) == PARQUET and of_name(file)[1] is None for file in files)
