"""How well scores of time points find events, without point adjustment.

A series has few events, each of many points. Point-wise metrics ask for every point of them; the
range-aware ones here forgive alarms that are near. None of them takes one alarm in an event for
all of it, as point adjustment does, under which random scores beat most detectors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from slad.core.errors import DataError
from slad.core.typing import Float, Int
from slad_paper.runner.metrics import auc_pr, auc_roc

BUFFER = 100
"""The widest buffer around an event, in time points: the default of the paper's code."""
WIDTHS = 11
"""Buffers from 0 to the widest over which the volume is taken."""


def events(labels: Int[np.ndarray, " t"]) -> Int[np.ndarray, "n 2"]:
    """The runs of ones: first point, and first one after.

    >>> events(np.array([0, 1, 1, 0, 1])).tolist()
    [[1, 3], [4, 5]]
    """
    steps = np.diff(np.concatenate([[0], labels, [0]]))
    return np.stack([np.flatnonzero(steps > 0), np.flatnonzero(steps < 0)], axis=1)


# -- affiliation (Huet, Navarro and Rossi, KDD 2022) -----------------------------------------------


@dataclass(frozen=True)
class Affiliation:
    """Precision and recall of alarms; a precision without any alarm is 0 here."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def affiliation(labels: Int[np.ndarray, " t"], alarms: Int[np.ndarray, " t"]) -> Affiliation:
    """Each event is judged in its zone, the points that are nearer to it than to other events.

    Precision of a zone: how likely a point drawn from the zone is as far from the event as an
    alarm is, averaged over the alarms there. Recall: how likely a drawn point is as far from a
    point of the event as the nearest alarm is, averaged over the event. A time point is a step of
    length 1; zones without an alarm have no precision, and a recall of 0.
    """
    _check(labels, alarms)
    found = events(labels)
    middles = (found[:-1, 1] + found[1:, 0]) / 2
    zones = zip([0.0, *middles], [*middles, float(len(labels))], strict=True)
    alarmed = events(alarms)
    precisions, recalls = [], []
    for event, (low, high) in zip(found, zones, strict=True):
        clipped = np.clip(alarmed, low, high)
        near = clipped[clipped[:, 0] < clipped[:, 1]]
        if len(near) == 0:
            recalls.append(0.0)
            continue
        precisions.append(_precision(near, event, low, high))
        recalls.append(_recall(near, event, low, high))
    return Affiliation(float(np.mean(precisions or [0.0])), float(np.mean(recalls)))


def _precision(alarmed: np.ndarray, event: np.ndarray, low: float, high: float) -> float:
    at = _within(alarmed)
    away = np.maximum(np.maximum(event[0] - at, at - event[1]), 0.0)
    further = np.maximum(event[0] - away - low, 0) + np.maximum(high - event[1] - away, 0)
    return float(np.where(away > 0, further / (high - low), 1.0).mean())


def _recall(alarmed: np.ndarray, event: np.ndarray, low: float, high: float) -> float:
    at = _within(event[None])
    after = np.searchsorted(alarmed[:, 0], at, side="right")
    before = np.concatenate([[-np.inf], alarmed[:, 1]])[after]
    ahead = np.concatenate([alarmed[:, 0], [np.inf]])[after]
    away = np.maximum(np.minimum(at - before, ahead - at), 0.0)
    further = np.maximum(at - away - low, 0) + np.maximum(high - at - away, 0)
    return float(np.where(away > 0, further / (high - low), 1.0).mean())


def _within(intervals: Float[np.ndarray, "n 2"]) -> Float[np.ndarray, " points"]:
    """Middles of all quarters of steps in intervals whose ends are whole or half steps.

    From one quarter to the next all distances and probabilities of the affiliation are linear, so
    a mean over these middles is the integral that the paper has.
    """
    ends = np.rint(4 * intervals).astype(int)
    quarters = [np.arange(first, last) for first, last in ends]
    return (np.concatenate(quarters) + 0.5) / 4


# -- volume under the surface (Paparrizos et al., VLDB 2022) ---------------------------------------


def volumes(
    labels: Int[np.ndarray, " t"], scores: Float[np.ndarray, " t"], *, buffer: int = BUFFER
) -> tuple[float, float]:
    """VUS-ROC and VUS-PR: areas under range-aware curves, averaged over widths of the buffer.

    Around an event labels fall off over half of a buffer, as the root of a line; the recall is
    multiplied by the share of events that have an alarm. Every score is a threshold, and scores
    that tie are one; the area under precision and recall is taken in steps, as average precision.
    """
    _check(labels, scores)
    widths = np.unique(np.linspace(0, buffer, WIDTHS).astype(int))
    areas = [_areas(labels, soft_labels(labels, int(width)), scores) for width in widths]
    roc, pr = np.mean(areas, axis=0)
    return float(roc), float(pr)


def soft_labels(labels: Int[np.ndarray, " t"], width: int) -> Float[np.ndarray, " t"]:
    """Labels with a slope of `width // 2` points on either side of an event.

    >>> soft_labels(np.array([0, 0, 1, 0]), 4).round(3).tolist()
    [0.707, 0.866, 1.0, 0.866]
    """
    soft = labels.astype(float)
    for first, end in events(labels):
        for step in range(1, width // 2 + 1):
            for place in (first - step, end - 1 + step):
                if 0 <= place < len(soft):
                    soft[place] = max(soft[place], (1 - step / width) ** 0.5)
    return soft


def _areas(labels: np.ndarray, soft: np.ndarray, scores: np.ndarray) -> tuple[float, float]:
    order = np.argsort(-scores, kind="stable")
    last = np.flatnonzero(np.diff(scores[order], append=-np.inf) != 0)  # of every run of ties
    hits = np.cumsum(soft[order])[last]
    count = last + 1.0
    positive = (labels.sum() + soft.sum()) / 2
    tops = [scores[first:end].max() for first, end in events((soft > 0).astype(int))]
    reached = np.searchsorted(-np.sort(tops)[::-1], -scores[order][last], side="right") / len(tops)
    recall = np.concatenate([[0.0], np.minimum(hits / positive, 1) * reached])
    false = np.concatenate([[0.0], (count - hits) / (len(labels) - positive)])
    precision = hits / count
    pr = (np.diff(recall) * precision).sum()
    # The curve ends at (1, 1), which it misses where softened labels are no whole positives.
    recall, false = np.append(recall, 1.0), np.append(false, 1.0)
    roc = (np.diff(false) * (recall[1:] + recall[:-1]) / 2).sum()
    return float(roc), float(pr)


# -- all of them -----------------------------------------------------------------------------------


def measure_series(
    labels: Int[np.ndarray, " t"], scores: Float[np.ndarray, " t"], threshold: float
) -> dict[str, float]:
    """All metrics of the scores of a series; alarms are scores above the threshold."""
    _check(labels, scores)
    alarms = (scores > threshold).astype(int)
    found = affiliation(labels, alarms)
    vus_roc, vus_pr = volumes(labels, scores)
    return {
        "auc_roc": auc_roc(labels, scores),
        "auc_pr": auc_pr(labels, scores),
        "vus_roc": vus_roc,
        "vus_pr": vus_pr,
        "affiliation_precision": found.precision,
        "affiliation_recall": found.recall,
        "affiliation_f1": found.f1,
        "alarms": float(alarms.mean()),
    }


def _check(labels: np.ndarray, values: np.ndarray) -> None:
    if labels.shape != values.shape or labels.ndim != 1:
        raise DataError(
            f"{labels.shape=} but {values.shape=}: give one label and one value a point"
        )
    if not np.isfinite(values).all():
        raise DataError("there are scores that are NaN or infinite: nothing to measure")
    if not np.array_equal(np.unique(labels), [0, 1]):
        raise DataError(
            f"the labels of the points are {np.unique(labels).tolist()}: both 0 and 1 are needed"
        )
