"""`slad detect FILE`: the whole job, from a table to strange rows and the reasons."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from slad.cli import options as shared
from slad.cli.output import tell
from slad.cli.parser import add_command
from slad.cli.paths import check_files
from slad.cli.progress import Steps
from slad.cli.scored_table import ScoredTable, ids_of, judge_new, truth_of
from slad.core.errors import ConfigError

if TYPE_CHECKING:
    from slad.model import TableDetector
    from slad.tables import Loaded

DESCRIPTION = (
    "Learn what is normal in a table, score every row by a model that has not seen it, and print "
    "the strangest rows with the reasons. With --reference the model learns from rows known to be "
    "normal, and FILE is only scored."
)


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "detect",
        run,
        takes="FILE",
        summary="find the strange rows of a table, and say why",
        description=DESCRIPTION,
        example="""
            slad detect orders.csv --id order --fpr 1% --out scores.csv --report page.html
            slad detect today.parquet --reference last_year.parquet --fdr 10%
            cat orders.csv | slad detect - --top 20
        """,
    )
    shared.add_table(parser)
    parser.add_argument(
        "--reference", metavar="FILE", help="rows known to be normal: to learn and calibrate on"
    )
    shared.add_columns(parser)
    shared.add_detector(parser)
    shared.add_rule(parser)
    shared.add_output(parser)


def run(options: argparse.Namespace) -> int:
    check_files(options, options.file, options.reference)
    steps = Steps(options.quiet)
    scored = _judge_own(options, steps) if options.reference is None else _judge(options, steps)
    return tell(scored, options, steps, default_rule=shared.chosen_rule(options) is None)


def _judge_own(options: argparse.Namespace, steps: Steps) -> ScoredTable:
    """Rows of the table itself, each by a model that has not seen it."""
    from slad.tables import read

    if options.fdr is not None:
        raise ConfigError(
            "--fdr cannot be promised of rows that the model itself learns from: give rows known "
            "to be normal with --reference FILE, or use --fpr, --top or --contamination"
        )
    model = make_model(options, steps, own_rows=True)
    with steps("read", f"reading {options.file}"):
        table = read(options.file)
    truth, ids = truth_of(table, options), ids_of(table, options.id, options)
    fit(model, table, steps)
    with steps("score", f"scoring {table.frame.num_rows:,} rows"):
        judgement = model.judge_own()
    return ScoredTable(model, table, judgement, ids, truth, [])


def _judge(options: argparse.Namespace, steps: Steps) -> ScoredTable:
    """Rows of the table by a model of other rows."""
    from slad.tables import read

    model = make_model(options, steps, own_rows=False, clean=True)
    with steps("read", f"reading {options.reference}"):
        reference = read(options.reference)
    for role in ("id", "label"):  # rows known to be normal need no name and no label
        if getattr(model, role) not in reference.frame.column_names:
            model.set_params(**{role: None})
    fit(model, reference, steps)
    return judge_new(model, options, steps)


def make_model(
    options: argparse.Namespace, steps: Steps, *, own_rows: bool, clean: bool = False
) -> TableDetector:
    """The unfitted model that the options ask for; what cannot be is said before a file is read."""
    from slad.core.devices import resolve_device
    from slad.detectors import make
    from slad.model import TableDetector

    detector = shared.chosen_detector(options)
    make(detector, **dict(options.set))
    resolve_device(options.device)
    rule, level = shared.chosen_rule(options) or shared.DEFAULT_RULE
    model = TableDetector(
        detector,
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
    return model


def fit(model: TableDetector, table: Loaded, steps: Steps) -> None:
    rows, columns = table.frame.num_rows, table.frame.num_columns
    with steps("fit", f"learning from {rows:,} rows of {columns} columns with {model.detector}"):
        model.fit(table)
    say_columns(model, steps)


def say_columns(model: TableDetector, steps: Steps) -> None:
    """What was left out, and what else there is to know of the table."""
    left = [
        f"{column.name} ({column.note.removeprefix('left out: ')})"
        for column in model.plan_
        if not column.used
    ]
    if left:
        steps.say(f"left out: {'; '.join(left[:8])}{'; ...' if len(left) > 8 else ''}")
    for note in model.notes_:
        steps.say(f"note: {note}")
