"""How far the result can be trusted: known labels, checks and the training loss."""

from __future__ import annotations

from collections.abc import Sequence

from slad.model.findings import Check, Findings
from slad.report import wording
from slad.report.markup import Html, data, section, tag

_OUTCOMES = {True: ("passed", "ok"), False: ("attention", "bad"), None: ("not tested", "open")}


def evaluation(findings: Findings) -> Html | None:
    """How well the decisions agree with a label column."""
    found = findings.evaluation
    if found is None:
        return None
    label = tag("b", data(wording.cut_name(found.label)))
    positive = data(wording.cut(found.positive, 40))
    lines = [
        ("Precision", found.precision, "of the flagged rows are labelled anomalies", True),
        ("Recall", found.recall, "of the labelled anomalies are flagged", True),
        ("False-alarm rate", found.false_alarm_rate, "of the other rows are flagged", True),
        (
            "AUC-ROC",
            found.auc_roc,
            "probability that a labelled anomaly scores above another row",
            False,
        ),
        ("AUC-PR", found.auc_pr, "precision, averaged over all thresholds", False),
    ]
    return section(
        "evaluation",
        "Compared with known labels",
        tag(
            "p",
            "The column ",
            label,
            " was used for this comparison only. It labels ",
            wording.counted(found.positives, "row"),
            " as “",
            positive,
            "”.",
            class_="lead",
        ),
        tag("dl", *(_measure(*line) for line in lines), class_="figures"),
    )


def _measure(name: str, value: float | None, meaning: str, percent: bool) -> Html:
    text = wording.share(value) if percent else wording.figure(value)
    return tag("div", tag("dt", name), tag("dd", text, tag("small", meaning)))


def checks(findings: Findings) -> Html | None:
    """The checks of the run, and the training curve."""
    items = [_check(check) for check in findings.checks]
    curve = _curve(findings.history.loss if findings.history else [])
    if not items and curve is None:
        return None
    return section(
        "checks",
        "Checks",
        tag("ul", *items, class_="checks") if items else None,
        curve,
    )


def _check(check: Check) -> Html:
    word, kind = _OUTCOMES[check.ok]
    outcome = tag("span", word, class_=f"outcome {kind}")
    return tag("li", outcome, tag("b", check.name), tag("span", check.text, class_="quiet"))


def _curve(losses: Sequence[float]) -> Html | None:
    """The training loss from the first epoch to the last."""
    if len(losses) < 2:
        return None
    low, high = min(losses), max(losses)
    span = (high - low) or 1.0
    step = 100 / (len(losses) - 1)
    points = " ".join(
        f"{at * step:.4g},{100 - 100 * (loss - low) / span:.4g}" for at, loss in enumerate(losses)
    )
    first, last = (wording.figure(loss) for loss in (losses[0], losses[-1]))
    epochs = wording.counted(len(losses), "epoch")
    line = tag("polyline", points=points)
    box = {"viewBox": "0 0 100 100", "preserveAspectRatio": "none", "role": "img"}
    said = f"Training loss: from {first} to {last} in {epochs}"
    ends = tag("span", tag("span", first), tag("span", last), class_="ends", aria_hidden="true")
    return tag(
        "figure",
        tag("svg", line, class_="curve", aria_label=said, **box),
        ends,
        tag("figcaption", f"{said}. It should fall and then level out."),
        class_="training",
    )
