"""The text on stdout: strangest rows, reasons, guarantee, evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from slad.cli.options import DEFAULT_RULE

if TYPE_CHECKING:
    from slad.model.findings import Findings, FoundRow


def strangest(found: Findings, show: int) -> Iterator[str]:
    """A summary line, then the strangest rows with the first reason of each."""
    counts = found.counts
    unsure = f", {counts.unsure:,} unsure" if found.reject is not None else ""
    yield (
        f"{found.title}: {counts.flagged:,} of {counts.rows:,} rows flagged as strange"
        f"{unsure}. The strangest rows:"
    )
    for row in found.rows[:show]:
        yield ""
        yield f"{row.rank:>3}. {_row(row)}"
        yield f"     {reason(row)}"


def explained(found: Findings, reasons: int) -> Iterator[str]:
    """Rows with all their reasons and the share of each."""
    for row in found.rows:
        yield _row(row)
        for each in row.reasons[:reasons]:
            yield f"  {each.share:4.0%}  {each.sentence}"
        if not row.reasons:
            yield f"        {reason(row)}"
        yield ""


def guarantee(found: Findings, default: bool) -> str:
    """What the flags guarantee."""
    default_note = f" (--{DEFAULT_RULE[0]} {DEFAULT_RULE[1]:g} is the default.)" if default else ""
    return f"{found.rule.sentence}{default_note}"


def evaluation(found: Findings, guessed: bool) -> Iterator[str]:
    """How the scores and flags compare with the label column."""
    known = found.evaluation
    if known is None:
        return
    precision = "undefined (no flags)" if known.precision is None else f"{known.precision:.0%}"
    anomalies = f"{known.positives:,} row{'s' * (known.positives != 1)}"
    yield (
        f"Compared with {known.label} ({known.positive} = anomaly, {anomalies}): "
        f"AUC-ROC {known.auc_roc:.3f}, AUC-PR {known.auc_pr:.3f}; precision {precision}, "
        f"recall {known.recall:.0%}, false-alarm rate {known.false_alarm_rate:.2%}."
    )
    if guessed:
        yield (
            f"({known.positive} is taken as the anomaly because it is the rarer value; use "
            "--positive to choose.)"
        )


def reason(row: FoundRow) -> str:
    """The first reason of a row, as one sentence."""
    return row.reasons[0].sentence if row.reasons else "no single column makes it strange"


def _row(row: FoundRow) -> str:
    name = f"row {row.row:,}" + ("" if row.id is None else f", {row.id}")
    error = "" if row.error is None else f" ± {row.error:.2g}"
    word = "strange" if row.flagged else "unsure" if row.unsure else "usual"
    return f"{name}: score {row.score:.2f}{error}, p-value {row.pvalue:.2g}, {word}"
