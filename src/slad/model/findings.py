"""All that is to be told about a run, in plain values: what a manifest holds and a report shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from slad.model.checks import self_checks
from slad.model.evaluation import Evaluation
from slad.model.explanation import ColumnReason, RowExplanation
from slad.model.facts import model_facts, run_facts
from slad.model.judgement import Judgement
from slad.model.table_detector import TableDetector, describe
from slad.tables import Loaded

BINS = 60
TAIL = 0.002
"""Share of scores beyond the drawn range at each end; they are counted in the last bin."""


@dataclass
class Run:
    """What surrounds a judgement: where it came from and how long it took."""

    command: str
    seconds: dict[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()
    reproduce: Sequence[str] = ()


def findings(
    model: TableDetector,
    judged: Loaded,
    judgement: Judgement,
    explanations: Sequence[RowExplanation],
    run: Run,
    *,
    evaluation: Evaluation | None = None,
    labels: np.ndarray | None = None,
    ids: Sequence[str] | None = None,
) -> dict[str, Any]:
    """One JSON object. `explanations` are of the strangest rows; these are the rows it lists."""
    facts = run_facts(run.command, run.seconds) | model_facts(model)
    facts["rule"]["threshold"] = judgement.threshold
    return facts | {
        "kind": "findings",
        "title": judged.name,
        "input": describe(judged),
        "reference": None if judgement.own else model.training_,
        "reject": model.reject,
        "counts": {
            "rows": len(judgement.scores),
            "flagged": int(judgement.flags.sum()),
            "unsure": int(judgement.unsure.sum()),
        },
        "evaluation": evaluation.plain() if evaluation else None,
        "scores": _distribution(judgement, model),
        "rows": _rows(judgement, explanations, labels, ids),
        "blame": blame(explanations, judgement),
        "history": model.history(),
        "checks": self_checks(model, judgement),
        "columns": model.profile_,
        "notes": [*model.notes_, *run.notes],
        "reproduce": list(run.reproduce),
    }


def light(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same without any cell of the table."""
    columns = [
        dict(column)
        | {"usual": "", "shape": None}
        | ({"note": "left out: one value"} if column["kind"] == "constant" else {})
        for column in found["columns"]
    ]
    return dict(found) | {"rows": [], "notes": [], "columns": columns}


def _distribution(judgement: Judgement, model: TableDetector) -> dict[str, Any]:
    """Histograms of judged and calibration scores, with the outermost in the last bins."""
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

    calibration = [] if judgement.own else counts(model.calibration_.scores)
    return {
        "edges": edges.tolist(),
        "judged": counts(judgement.scores),
        "calibration": calibration,
        "largest": float(judgement.scores.max()),
    }


def _rows(
    judgement: Judgement,
    explanations: Sequence[RowExplanation],
    labels: np.ndarray | None,
    ids: Sequence[str] | None,
) -> list[dict[str, Any]]:
    ranks = {int(row): rank for rank, row in enumerate(judgement.order, start=1)}
    listed = sorted(explanations, key=lambda each: ranks[each.row])
    return [
        {
            "rank": ranks[each.row],
            "row": each.row + 1,
            "id": None if ids is None else ids[each.row],
            "score": float(judgement.scores[each.row]),
            "error": _or_none(judgement.errors[each.row]),
            "pvalue": float(judgement.pvalues[each.row]),
            "flagged": bool(judgement.flags[each.row]),
            "unsure": bool(judgement.unsure[each.row]),
            "label": None if labels is None else str(labels[each.row]),
            "reasons": [_plain(reason) for reason in each.reasons],
            "values": [list(pair) for pair in each.values],
            "nearest": [list(pair) for pair in each.nearest],
        }
        for each in listed
    ]


def _plain(reason: ColumnReason) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(reason).items()
    }


def blame(explanations: Sequence[RowExplanation], judgement: Judgement) -> list[dict[str, Any]]:
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
        {"column": name, "rows": first[name], "share": share[name]}
        for name in sorted(share, key=lambda name: (-first[name], -share[name], name))
    ]


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
