"""How well scores order test rows. Rows of equal score share their places; NaN is an error."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from slad.core.errors import DataError

Metric = Callable[[np.ndarray, np.ndarray], float]

FALSE_ALARMS = 0.01


def auc_roc(labels: np.ndarray, scores: np.ndarray) -> float:
    """The share of pairs (anomaly, normal row) in the right order; a tie counts as half."""
    return float(roc_auc_score(labels, scores))


def auc_pr(labels: np.ndarray, scores: np.ndarray) -> float:
    """Average precision: the precision at every anomaly's score, averaged; ties count together."""
    return min(float(average_precision_score(labels, scores)), 1.0)  # its sum may round above


def partial_auc(labels: np.ndarray, scores: np.ndarray) -> float:
    """The area under the ROC curve up to 1 % false alarms, standardised: 1 = all, 0.5 = chance."""
    return float(roc_auc_score(labels, scores, max_fpr=FALSE_ALARMS))


def tpr_at_1(labels: np.ndarray, scores: np.ndarray) -> float:
    """The share of anomalies that are found while 1 % of the normal rows raise a false alarm.

    Rows are flagged from the highest score down, rows of equal score all at once. Where that makes
    the rate of false alarms jump over 1 %, each row of the score at which it jumps is flagged with
    the chance that makes the expected rate 1 %, and this is the expected share of anomalies: a
    straight line between two points of the ROC curve. So below 100 normal rows only anomalies above
    all of them count, and in part those that tie with the highest.
    """
    false, true, _ = roc_curve(labels, scores, drop_intermediate=False)
    last = int(np.searchsorted(false, FALSE_ALARMS, side="right")) - 1  # a later point is higher
    step = (FALSE_ALARMS - false[last]) / (false[last + 1] - false[last])
    return float(true[last] + step * (true[last + 1] - true[last]))


def f1(labels: np.ndarray, scores: np.ndarray) -> float:
    """F1 when as many rows are flagged as there are anomalies, and all that tie with the last."""
    count = int(labels.sum())
    flagged = scores >= np.sort(scores)[-count]
    return float(2 * labels[flagged].sum() / (flagged.sum() + count))


def precision_at_n(labels: np.ndarray, scores: np.ndarray) -> float:
    """Precision among the n highest scores, n the number of anomalies.

    Rows that tie at the border are drawn at random; this is the mean of all draws.
    """
    count = int(labels.sum())
    border = np.sort(scores)[-count]
    above, tied = scores > border, scores == border
    free = count - above.sum()
    return float((labels[above].sum() + labels[tied].mean() * free) / count)


METRICS: dict[str, Metric] = {
    "auc_roc": auc_roc,
    "auc_pr": auc_pr,
    "f1": f1,
    "precision_at_n": precision_at_n,
    "partial_auc": partial_auc,
    "tpr_at_1": tpr_at_1,
}


def measure(labels: np.ndarray, scores: np.ndarray) -> dict[str, float]:
    """All metrics of one detector's scores of test rows (1 = anomaly, higher = stranger)."""
    if labels.shape != scores.shape or labels.ndim != 1:
        raise DataError(f"{labels.shape=} but {scores.shape=}: give one label and one score a row")
    if not np.isfinite(scores).all():
        count = int((~np.isfinite(scores)).sum())
        raise DataError(f"{count} of {len(scores)} scores are NaN or infinite: nothing to measure")
    found = np.unique(labels)
    if not np.array_equal(found, [0, 1]):
        raise DataError(
            f"the labels of the test rows are {found.tolist()}: both 0 (normal) and 1 (anomaly) "
            "are needed"
        )
    return {name: metric(labels, scores) for name, metric in METRICS.items()}
