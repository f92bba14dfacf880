"""A table with its scores, and how `detect`, `score` and `explain` make one."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slad.cli.manifest import command, repeatable_command
from slad.cli.options import chosen_rule
from slad.cli.progress import Steps
from slad.core.errors import ConfigError

if TYPE_CHECKING:
    from slad.model import (
        ConformedTable,
        Findings,
        Judgement,
        RowExplanation,
        TableDetector,
        Truth,
    )
    from slad.tables import Loaded

MOST_EXPLAINED = 200
"""A person reads no more; a report shows no more either."""

SAME_TABLE = (
    "the model learned from this very table, whose rows look more usual to it than new rows "
    "would; use slad detect to score the rows of one table"
)


@dataclass(frozen=True)
class ScoredTable:
    """A table with the model's score, p-value and decision for each row."""

    model: TableDetector
    table: Loaded
    conformed: ConformedTable
    """The same table with the columns that the model knows."""
    judgement: Judgement
    ids: list[str] | None
    truth: Truth | None
    notes: list[str]

    def strangest(self, least: int) -> list[int]:
        """The rows to explain: all that are flagged or unsure, up to MOST_EXPLAINED."""
        marked = int((self.judgement.flags | self.judgement.unsure).sum())
        count = min(max(marked, least), MOST_EXPLAINED)
        rows: list[int] = self.judgement.order[:count].tolist()
        return rows

    def explain(self, rows: list[int], steps: Steps) -> list[RowExplanation]:
        if not rows:
            return []
        with steps("explain", f"explaining {len(rows)} row{'s' * (len(rows) > 1)}"):
            if self.judgement.own:
                return self.model.explain_own(self.conformed, rows)
            return self.model.explain(self.conformed, rows)


def score_file(model: TableDetector, options: argparse.Namespace, steps: Steps) -> ScoredTable:
    """Score a table that the model has not seen."""
    model.set_params(verbose=steps.verbose)
    with steps("read", f"reading {options.file}"):
        table = model.read(options.file)
        conformed = model.conform(_without_named(table, model, options))
    notes = conformed.notes
    if table.sha256 is not None and table.sha256 == model.training_["sha256"]:
        notes = [*notes, SAME_TABLE]
    for note in notes:
        steps.say(f"note: {note}")
    truth = truth_of(table, options)
    ids = ids_of(table, options.id or model.id, options)
    with steps("score", f"scoring {table.frame.num_rows:,} rows"):
        judgement = model.judge(conformed)
    return ScoredTable(model, table, conformed, judgement, ids, truth, notes)


def _without_named(table: Loaded, model: TableDetector, options: argparse.Namespace) -> Loaded:
    """Drop the id and label columns that the model does not know: they need no note."""
    named = {options.id, options.label} & set(table.frame.column_names)
    named -= {column.name for column in model.plan_}
    return replace(table, frame=table.frame.drop_columns(sorted(named)))


def truth_of(table: Loaded, options: argparse.Namespace) -> Truth | None:
    from slad.model import read_truth

    if options.label is None:
        if options.positive is not None:
            raise ConfigError("--positive needs --label COL")
        return None
    return read_truth(table.frame, options.label, options.positive)


def ids_of(table: Loaded, column: str | None, options: argparse.Namespace) -> list[str] | None:
    """The ids of all rows as text; a new table may lack the model's id column."""
    if column is None:
        return None
    if column not in table.frame.column_names:
        if options.id is None:
            return None
        known = ", ".join(table.frame.column_names)
        raise ConfigError(f"--id: {table.name} has no column {column!r}; its columns are: {known}")
    return [str(value) for value in table.frame.column(column).to_pylist()]


def load_model(options: argparse.Namespace) -> TableDetector:
    """The saved model, with the rule of the command line if that has one."""
    from slad.model import TableDetector

    model = TableDetector.load(options.model, device=options.device)
    if (rule := chosen_rule(options)) is not None:
        model.set_params(rule=rule[0], level=rule[1])
    if options.reject is not None:
        model.set_params(reject=options.reject)
    model.make_rule().check(len(model.calibration_), own_rows=False)
    return model


def findings_of(
    scored: ScoredTable,
    explanations: list[RowExplanation],
    options: argparse.Namespace,
    steps: Steps,
) -> Findings:
    from slad.model import Run, evaluate, make_findings

    judgement, truth = scored.judgement, scored.truth
    labels = None if truth is None else scored.table.frame.column(truth.column).to_numpy()
    return make_findings(
        scored.model,
        scored.table,
        judgement,
        explanations,
        Run(command(options), steps.seconds, scored.notes, [repeatable_command(options)]),
        evaluation=None if truth is None else evaluate(truth, judgement.scores, judgement.flags),
        labels=labels,
        ids=scored.ids,
    )
