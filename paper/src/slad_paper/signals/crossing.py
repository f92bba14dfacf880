"""Every table judged by weights that never saw its source, and the controls beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression

from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.decisions import Standard
from slad.detectors.signals.profile import LEVELS
from slad.detectors.signals.weights import KINDS, Weights
from slad_paper.signals.table_inputs import OWN, Task, kind_of, teach
from slad_paper.signals.training import Settings, learned, split_sizes

FOLDS = 5
OF_A_TABLE = 40
"""Rows of each label and table that the logistic regression learns from."""
ENOUGH = 1000
"""Rows of a table that tell which single signal is best."""
LEARNED = "learned-signals (cross-validated)"
SEEKS_CELLS = "learned-signals[seeks=cells] (cross-validated)"
"""On rows that are odd as a whole."""
MEAN = "mean of the signals"
LOGISTIC = "logistic regression on the signals"
SINGLE = "best single signal"

Judge = Callable[[Float[np.ndarray, "n inputs"]], Float[np.ndarray, " n"]]
OfSignals = dict[tuple[str, str], Float[np.ndarray, " levels"]]
"""The AUC-ROC of every signal on a table in a case."""
Scores = dict[str, dict[tuple[str, str], np.ndarray]]
"""Label: the scores of a table in a case."""


def fold_of_groups(groups: Sequence[str]) -> dict[str, int]:
    """The fold of every group."""
    every = sorted(set(groups))
    order = Streams(0).numpy("folds of groups").permutation(len(every))
    return {every[group]: place % FOLDS for place, group in enumerate(order)}


def cross_validated(
    tasks: Sequence[Task], settings: Settings, *, workers: int
) -> Iterator[tuple[str, Scores]]:
    """(what was done, scores by label), fold after fold, for all kinds of weights."""
    folds = fold_of_groups([task.group for task in tasks])
    signals = {(task.table, task.case): _auc_of_signals(task) for task in tasks}
    units = [(kind, fold) for kind in KINDS for fold in range(FOLDS)]

    def judged(unit: tuple[str, int]) -> tuple[str, Scores]:
        kind, fold = unit
        mine = [task for task in tasks if teach(kind, task.case)]
        known = [task for task in mine if folds[task.group] != fold]
        others = [task for task in mine if folds[task.group] == fold]
        return f"fold {fold + 1} of {kind}", _scores(kind, known, others, settings, signals)

    with ThreadPoolExecutor(workers) as threads:
        yield from threads.map(judged, units)


def _scores(
    kind: str, known: list[Task], others: list[Task], settings: Settings, signals: OfSignals
) -> Scores:
    judge = of_weights(learned(known, settings, seed=0))
    mine = [task for task in others if kind_of(task.case) == kind]
    found = {LEARNED: _judged(mine, judge)}
    rest = [task for task in others if kind_of(task.case) != kind]
    if rest:
        found[SEEKS_CELLS] = _judged(rest, judge)
    # Controls learn from the tables that they judge the like of.
    known = [task for task in known if kind_of(task.case) == kind]
    controls = {
        MEAN: _mean_of_tails,
        LOGISTIC: _logistic(known),
        SINGLE: _best_single(known, signals),
    }
    return found | {label: _judged(mine, control) for label, control in controls.items()}


def _judged(tasks: list[Task], judge: Judge) -> dict[tuple[str, str], np.ndarray]:
    return {(task.table, task.case): standardised(task, judge) for task in tasks}


def of_weights(weights: Weights) -> Judge:
    def judge(inputs: np.ndarray) -> np.ndarray:
        size, _ = split_sizes(inputs.shape[1])
        return weights.scores(inputs[:, :size], inputs[:, size:])

    return judge


def standardised(task: Task, judge: Judge) -> Float[np.ndarray, " n"]:
    """Scores of a table; of rows that train in the unit of their fold, as in `slad detect`."""
    scores = judge(task.inputs.astype(np.float64))
    if task.case in OWN:
        for fold in np.unique(task.fold):
            held = task.fold == fold
            scores[held] = Standard.fit(scores[held]).apply(scores[held])
    return scores


def _mean_of_tails(inputs: np.ndarray) -> np.ndarray:
    mean: np.ndarray = inputs[:, : len(LEVELS)].mean(axis=1)
    return mean


def _logistic(known: list[Task]) -> Judge:
    """Unconstrained, on some rows of every table; every source and label weighs the same."""
    rng = Streams(0).numpy("logistic regression")
    counts: dict[str, int] = {}
    for task in known:
        counts[task.group] = counts.get(task.group, 0) + 1
    rows, labels, weights = [], [], []
    for task in known:
        for label in (0, 1):
            mine = rng.permutation(np.flatnonzero(task.labels == label))[:OF_A_TABLE]
            rows.append(task.inputs[mine].astype(np.float32))
            labels.append(np.full(len(mine), label))
            weights.append(np.full(len(mine), 1 / (len(mine) * counts[task.group])))
    model = LogisticRegression(C=10.0, max_iter=50, tol=1e-3)
    weight = np.concatenate(weights)
    model.fit(np.concatenate(rows), np.concatenate(labels), sample_weight=weight / weight.mean())
    return lambda inputs: np.asarray(inputs @ model.coef_[0])


def _auc_of_signals(task: Task) -> Float[np.ndarray, " levels"]:
    """AUC-ROC of every signal's distance (first look), on at most `ENOUGH` rows."""
    rows = task.inputs[:ENOUGH, len(LEVELS) : 2 * len(LEVELS)]
    odd = task.labels[:ENOUGH] == 1
    pairs = odd.sum() * (~odd).sum()
    if not pairs:
        return np.full(len(LEVELS), np.nan)
    below = rankdata(rows, axis=0)[odd].sum(axis=0) - odd.sum() * (odd.sum() + 1) / 2
    found: np.ndarray = below / pairs
    return found


def _best_single(known: list[Task], signals: OfSignals) -> Judge:
    """The signal with the best mean AUC-ROC over the sources."""
    of_group: dict[str, list[np.ndarray]] = {}
    for task in known:
        found = signals[task.table, task.case]
        if np.isfinite(found).all():
            of_group.setdefault(task.group, []).append(found)
    means = np.mean([np.mean(each, axis=0) for each in of_group.values()], axis=0)
    best = len(LEVELS) + int(np.argmax(means))
    return lambda inputs: inputs[:, best]
