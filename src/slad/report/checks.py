"""How far the result can be trusted: known labels, self-checks, and how training went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slad.report import wording
from slad.report.markup import Html, data, section, tag

_OUTCOMES = {True: ("passed", "ok"), False: ("look here", "bad"), None: ("not tested", "open")}


def evaluation(findings: Mapping[str, Any]) -> Html | None:
    """How well the verdicts agree with a label that the table holds."""
    found = findings["evaluation"]
    if found is None:
        return None
    label = tag("b", data(wording.cut_name(str(found["label"]))))
    positive = data(wording.cut(str(found["positive"]), 40))
    lines = [
        ("Precision", found["precision"], "of the rows that stand out are labelled", True),
        ("Recall", found["recall"], "of the labelled rows stand out", True),
        ("False alarms", found["false_alarm_rate"], "of the other rows stand out", True),
        ("AUC-ROC", found["auc_roc"], "chance that a labelled row scores above another", False),
        ("AUC-PR", found["auc_pr"], "precision, averaged over every threshold", False),
    ]
    return section(
        "evaluation",
        "Against known answers",
        tag(
            "p",
            "The column ",
            label,
            " was not used to judge. It calls ",
            wording.counted(found["positives"], "row"),
            " “",
            positive,
            "”.",
            class_="lead",
        ),
        tag("dl", *(_measure(*line) for line in lines), class_="figures"),
    )


def _measure(name: str, value: float | None, meaning: str, percent: bool) -> Html:
    text = wording.share(value) if percent else wording.figure(value)
    return tag("div", tag("dt", name), tag("dd", text, tag("small", meaning)))


def checks(findings: Mapping[str, Any]) -> Html | None:
    """What was checked during the run, and the curve of training."""
    items = [_check(check) for check in findings["checks"]]
    curve = _curve((findings["history"] or {}).get("loss") or [])
    if not items and curve is None:
        return None
    return section(
        "checks",
        "Checks made on the way",
        tag("ul", *items, class_="checks") if items else None,
        curve,
    )


def _check(check: Mapping[str, Any]) -> Html:
    word, kind = _OUTCOMES[check["ok"]]
    outcome = tag("span", word, class_=f"outcome {kind}")
    return tag("li", outcome, tag("b", check["name"]), tag("span", check["text"], class_="quiet"))


def _curve(losses: Sequence[float]) -> Html | None:
    """The training loss from the first epoch to the last; it should fall and level out."""
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
