"""From a judgement to its `Findings`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from slad.model.checks import self_checks
from slad.model.facts import facts_of_model, facts_of_run
from slad.model.findings import (
    KIND,
    Blame,
    ColumnProfile,
    Counts,
    Distribution,
    Evaluation,
    Findings,
    FoundRow,
    RuleInUse,
    Source,
    Training,
)
from slad.model.fitting import describe
from slad.model.json_form import from_json
from slad.model.judgement import Judgement
from slad.model.row_explanation import RowExplanation
from slad.model.table_detector import TableDetector
from slad.tables import Loaded

BINS = 60
TAIL = 0.002
"""Fraction of the scores beyond the drawn range at each end; the outermost bins count them."""


@dataclass
class Run:
    """The command that scored a table, how long its steps took, and notes for people."""

    command: str
    seconds: dict[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()
    reproduce: Sequence[str] = ()
    """Commands that give the same result again."""


def make_findings(
    model: TableDetector,
    table: Loaded,
    judgement: Judgement,
    explanations: Sequence[RowExplanation],
    run: Run,
    *,
    evaluation: Evaluation | None = None,
    labels: np.ndarray | None = None,
    ids: Sequence[str] | None = None,
) -> Findings:
    """The findings of a judged table. The rows they list are those with an explanation."""
    facts, history = facts_of_model(model), model.history()
    return Findings(
        **vars(facts_of_run(run.command, run.seconds)),
        seed=facts.seed,
        detector=facts.detector,
        calibration=facts.calibration,
        rule=RuleInUse(**vars(facts.rule), threshold=judgement.threshold),
        kind=KIND,
        title=table.name,
        input=Source(**describe(table)),
        reference=None if judgement.own else Source(**model.training_),
        reject=model.reject,
        counts=Counts(
            rows=len(judgement.scores),
            flagged=int(judgement.flags.sum()),
            unsure=int(judgement.unsure.sum()),
        ),
        evaluation=evaluation,
        scores=_distribution(judgement, model),
        rows=_rows(judgement, explanations, labels, ids),
        blame=_blame(explanations, judgement),
        history=Training(**history) if history else None,
        checks=self_checks(model, judgement),
        columns=from_json(list[ColumnProfile], model.profile_, "profile"),
        notes=[*model.notes_, *run.notes],
        reproduce=list(run.reproduce),
    )


def _distribution(judgement: Judgement, model: TableDetector) -> Distribution:
    both = np.concatenate([judgement.scores, model.calibration_.scores])
    low, high = np.quantile(both, [TAIL, 1 - TAIL])
    if judgement.threshold is not None:
        high = max(high, judgement.threshold + 0.1 * abs(judgement.threshold - low))
    if not low < high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, BINS + 1)

    def counts(scores: np.ndarray) -> list[int]:
        counted: list[int] = np.histogram(np.clip(scores, low, high), bins=edges)[0].tolist()
        return counted

    return Distribution(
        edges=edges.tolist(),
        judged=counts(judgement.scores),
        calibration=[] if judgement.own else counts(model.calibration_.scores),
        largest=float(judgement.scores.max()),
    )


def _rows(
    judgement: Judgement,
    explanations: Sequence[RowExplanation],
    labels: np.ndarray | None,
    ids: Sequence[str] | None,
) -> list[FoundRow]:
    ranks = {int(row): rank for rank, row in enumerate(judgement.order, start=1)}
    return [
        FoundRow(
            rank=ranks[each.row],
            row=each.row + 1,
            id=None if ids is None else ids[each.row],
            score=float(judgement.scores[each.row]),
            error=_or_none(judgement.errors[each.row]),
            pvalue=float(judgement.pvalues[each.row]),
            flagged=bool(judgement.flags[each.row]),
            unsure=bool(judgement.unsure[each.row]),
            label=None if labels is None else str(labels[each.row]),
            reasons=each.reasons,
            values=each.values,
            nearest=each.nearest,
        )
        for each in sorted(explanations, key=lambda each: ranks[each.row])
    ]


def _blame(explanations: Sequence[RowExplanation], judgement: Judgement) -> list[Blame]:
    """Columns by how often they are the first reason of a strange row, then by their share."""
    strange = [each for each in explanations if judgement.flags[each.row]] or list(explanations)
    first: Counter[str] = Counter()
    share: defaultdict[str, float] = defaultdict(float)
    for each in strange:
        for place, reason in enumerate(each.reasons):
            for name in reason.columns:
                first[name] += place == 0
                share[name] += reason.share / len(reason.columns) / len(strange)
    return [
        Blame(name, first[name], share[name])
        for name in sorted(share, key=lambda name: (-first[name], -share[name], name))
    ]


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
