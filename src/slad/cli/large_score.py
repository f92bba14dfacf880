"""`slad score MODEL FILES --out FOLDER/`: files of any number and size, in batches."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from slad.cli.options import chosen_rule
from slad.cli.paths import STDOUT, check_inputs
from slad.cli.progress import Steps
from slad.cli.scored_table import load_model
from slad.core.errors import ConfigError

if TYPE_CHECKING:
    from slad.engines import Streamed

ANOMALIES = 3
WHOLE_TABLE = ("report", "label", "positive")
"""Options that need all rows of a table at once."""


def out_is_folder(options: argparse.Namespace) -> bool:
    """Whether --out is a folder: an existing one, or a name that ends in a slash."""
    out = options.out
    return out not in (None, STDOUT) and (str(out).endswith("/") or Path(out).is_dir())


def score_by_engine(options: argparse.Namespace) -> int:
    """Score with Spark, Ray or Dask."""
    from slad.engines.jobs import score_with
    from slad.engines.sent_model import SentModel

    if options.out in (None, STDOUT):
        raise ConfigError(f"--engine {options.engine} needs an output folder; use --out scores/")
    _check_whole_table(options)
    model = SentModel.of_file(options.model, id=options.id).loaded().model
    if chosen_rule(options) or options.reject is not None:
        raise ConfigError(
            f"--engine {options.engine} uses the model's own rule, which must be fpr or "
            "contamination; fit the model with the rule you want"
        )
    Steps(options.quiet).say(f"scoring {options.file} with {options.engine}")
    rows = score_with(options.engine, options.model, options.file, options.out, id=options.id)
    print(f"{options.out}: {rows:,} rows scored with {options.engine}")
    print(model.make_rule().sentence(model.calibration_))
    return 0


def score_to_folder(options: argparse.Namespace) -> int:
    """Score each file in batches into an output file of its own."""
    from slad.engines import BatchScorer, stream_scores
    from slad.tables.files import members

    _check_whole_table(options)
    check_inputs(options.file)
    steps = Steps(options.quiet)
    scorer = BatchScorer(
        load_model(options), id=options.id, keep_columns=bool(options.with_columns)
    )
    files = members(Path(options.file).expanduser())
    start = time.perf_counter()
    fresh = 0

    def report(each: Streamed) -> None:
        nonlocal fresh
        fresh += 0 if each.skipped else each.rows
        pace = fresh / (time.perf_counter() - start)
        how = "scored by an earlier run" if each.skipped else f"{pace:,.0f} rows/s"
        steps.say(f"{each.source.name}: {each.rows:,} rows, {each.flagged:,} flagged, {how}")

    done = stream_scores(scorer, files, Path(options.out), told=report)
    rows, flagged = (sum(getattr(each, name) for each in done) for name in ("rows", "flagged"))
    written = f"{len(done)} file{'s' * (len(done) > 1)}"
    print(f"{options.out}: {rows:,} rows in {written}, {flagged:,} flagged")
    print(scorer.model.make_rule().sentence(scorer.model.calibration_))
    return ANOMALIES if options.fail_on_anomaly and flagged else 0


def _check_whole_table(options: argparse.Namespace) -> None:
    for name in WHOLE_TABLE:
        if getattr(options, name) is not None:
            raise ConfigError(
                f"--{name} needs all rows at once, but --out {options.out} is a folder; use a file "
                f"for --out, or leave out --{name}"
            )
