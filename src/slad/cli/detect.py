"""`slad detect FILE`: find the strange rows of a table and explain them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from slad.cli import options as shared
from slad.cli.auto_detector import choose_detector
from slad.cli.output import write_results
from slad.cli.parser import add_command
from slad.cli.paths import check_files
from slad.cli.progress import Steps
from slad.cli.scored_table import ScoredTable, ids_of, score_file, truth_of
from slad.core.errors import ConfigError

if TYPE_CHECKING:
    from slad.model import TableDetector
    from slad.tables import Loaded

DESCRIPTION = (
    "Learn what is normal in a table, score every row with a model that has not seen it, and "
    "print the strangest rows with reasons. With --reference, the model learns from rows known to "
    "be normal and only scores FILE."
)


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "detect",
        run,
        takes="FILE",
        summary="find the strange rows of a table and explain them",
        description=DESCRIPTION,
        example="""
            slad detect orders.csv --id order --fpr 1% --out scores.csv --report page.html
            slad detect today.parquet --reference last_year.parquet --fdr 10%
            cat orders.csv | slad detect - --top 20
        """,
    )
    shared.add_table(parser)
    parser.add_argument(
        "--reference", metavar="FILE", help="table of rows known to be normal, to learn from"
    )
    shared.add_columns(parser)
    shared.add_detector(parser)
    shared.add_rule(parser)
    shared.add_output(parser)


def run(options: argparse.Namespace) -> int:
    check_files(options, options.file, options.reference)
    steps = Steps(options.quiet)
    score = _score_own if options.reference is None else _score_with_reference
    default_rule = shared.chosen_rule(options) is None
    return write_results(score(options, steps), options, steps, default_rule=default_rule)


def _score_own(options: argparse.Namespace, steps: Steps) -> ScoredTable:
    """Score the rows that the model learns from, each with a model that has not seen it."""
    from slad.tables import read

    if options.fdr is not None:
        raise ConfigError(
            "--fdr cannot be guaranteed for rows that the model learns from; give rows known to be "
            "normal with --reference FILE, or use --fpr, --top or --contamination"
        )
    model = make_model(options, steps, own_rows=True)
    with steps("read", f"reading {options.file}"):
        table = read(options.file)
    truth, ids = truth_of(table, options), ids_of(table, options.id, options)
    fit(model, table, steps)
    with steps("score", f"scoring {table.frame.num_rows:,} rows"):
        judgement = model.judge_own()
    return ScoredTable(model, table, model.conform(table), judgement, ids, truth, [])


def _score_with_reference(options: argparse.Namespace, steps: Steps) -> ScoredTable:
    """Score the table with a model that learns from the reference rows."""
    from slad.tables import read

    model = make_model(options, steps, own_rows=False, clean=True)
    with steps("read", f"reading {options.reference}"):
        reference = read(options.reference)
    for role in ("id", "label"):  # rows known to be normal need no id and no label
        if getattr(model, role) not in reference.frame.column_names:
            model.set_params(**{role: None})
    fit(model, reference, steps)
    return score_file(model, options, steps)


def make_model(
    options: argparse.Namespace, steps: Steps, *, own_rows: bool, clean: bool = False
) -> TableDetector:
    """The unfitted model with these options; wrong ones raise before any file is read."""
    from slad.core.devices import check_device
    from slad.detectors import check_parameters
    from slad.model import TableDetector

    check_parameters(options.detector, dict(options.set))
    check_device(options.device)
    rule, level = shared.chosen_rule(options) or shared.DEFAULT_RULE
    model = TableDetector(
        options.detector,
        parameters=dict(options.set),
        rule=rule,
        level=level,
        reject=options.reject,
        calibration=options.calibration,
        own_rows=own_rows,
        clean=clean,
        drop=options.drop,
        keep=options.keep,
        categories=options.category,
        id=options.id,
        label=options.label,
        device=options.device,
        random_state=options.seed,
        verbose=steps.verbose,
    )
    model.make_rule()
    choose_detector(options, steps)
    model.set_params(detector=options.detector)
    return model


def fit(model: TableDetector, table: Loaded, steps: Steps) -> None:
    rows, columns = table.frame.num_rows, table.frame.num_columns
    with steps("fit", f"learning from {rows:,} rows of {columns} columns with {model.detector}"):
        model.fit(table)
    say_columns(model, steps)


def say_columns(model: TableDetector, steps: Steps) -> None:
    """Print which columns were left out, and the notes on the table."""
    left = [
        f"{column.name} ({column.note.removeprefix('left out: ')})"
        for column in model.plan_
        if not column.used
    ]
    if left:
        steps.say(f"columns left out: {'; '.join(left[:8])}{'; ...' if len(left) > 8 else ''}")
    for note in model.notes_:
        steps.say(f"note: {note}")
