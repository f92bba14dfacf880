"""Every table is judged by weights, and by controls, that never saw its source."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from made_up_tasks import SIGNAL, SMALL, TELLS, made_up_task
from slad.detectors.signals.profile import LEVELS, Extremes
from slad.detectors.signals.weights import KINDS, Weights
from slad_paper.runner.metrics import auc_roc
from slad_paper.signals import crossing
from slad_paper.signals.crossing import (
    FOLDS,
    LEARNED,
    LOGISTIC,
    MEAN,
    SEEKS_CELLS,
    SINGLE,
    Scores,
    cross_validated,
    fold_of_groups,
    of_weights,
    standardised,
)
from slad_paper.signals.table_inputs import OWN, PLANTED, TRAINING, Task, kind_of, teach

GROUPS = "abcdefg"
CONTROLS = (MEAN, LOGISTIC, SINGLE)


def made_up_tasks() -> list[Task]:
    """Seven sources, the first with two tables; no errors can be planted in one of these."""
    tables = [("a2", "a"), *((group, group) for group in GROUPS)]
    every = [made_up_task(table, group, case) for case in TRAINING for table, group in tables]
    return [task for task in every if (task.table, task.case in PLANTED) != ("a2", True)]


def judged(tasks: list[Task], workers: int = 1) -> Scores:
    """The scores of all folds and kinds by label; nothing is judged twice."""
    every: Scores = {}
    for _, scores in cross_validated(tasks, SMALL, workers=workers):
        for label, of_tables in scores.items():
            assert not every.setdefault(label, {}).keys() & of_tables.keys()
            every[label].update(of_tables)
    return every


@pytest.fixture(scope="module")
def found() -> Scores:
    return judged(made_up_tasks())


# -- folds ---------------------------------------------------------------------------------------


def test_a_source_is_in_one_fold_the_same_each_time():
    groups = [f"source {at}" for at in range(23)]
    folds = fold_of_groups(groups)
    assert folds == fold_of_groups(groups[::-1] * 2)
    assert folds.keys() == set(groups)
    assert list(np.bincount(list(folds.values()))) == [5, 5, 5, 4, 4]
    assert [folds[group] for group in sorted(groups)] != [at % FOLDS for at in range(23)]


# -- who is judged by whom -----------------------------------------------------------------------


class Spy:
    """Stands for what learned from some tasks; notes who it judges.

    The last input of a row, a contrast, tells which source it is of.
    """

    def __init__(self, judgements: list, known: list[Task]) -> None:
        self.judgements = judgements
        self.groups = {task.group for task in known}
        self.cases = frozenset(task.case for task in known)

    def __call__(self, inputs: np.ndarray) -> np.ndarray:
        self.judgements.append((GROUPS[int(inputs[0, -1])], self.groups, self.cases))
        return inputs[:, 0]

    def scores(self, monotone: np.ndarray, free: np.ndarray) -> np.ndarray:
        return self(np.hstack([monotone, free]))


@pytest.mark.parametrize("name", ["learned", "_logistic", "_best_single"])
def test_no_table_is_judged_by_what_saw_its_source(name, monkeypatch):
    judgements = []
    monkeypatch.setattr(crossing, name, lambda known, *rest, **more: Spy(judgements, known))
    tasks = [telling(task) for task in made_up_tasks()]
    judged(tasks)
    folds = fold_of_groups(GROUPS)
    assert {group for group, *_ in judgements} == set(GROUPS)
    for group, known, _ in judgements:
        assert known == {other for other in GROUPS if folds[other] != folds[group]}
    learns = teach if name == "learned" else lambda kind, case: kind_of(case) == kind
    assert len(judgements) == sum(learns(kind, task.case) for task in tasks for kind in KINDS)
    wanted = {frozenset(case for case in TRAINING if learns(kind, case)) for kind in KINDS}
    assert {cases for *_, cases in judgements} == wanted


def telling(task: Task) -> Task:
    inputs = task.inputs.copy()
    inputs[:, -1] = GROUPS.index(task.group)
    return replace(task, inputs=inputs)


@pytest.mark.parametrize("group", ["a", "d"])
def test_labels_of_a_source_matter_to_others_and_never_to_its_own_scores(group, found):
    tasks = made_up_tasks()
    own = {(task.table, task.case) for task in tasks if task.group == group}
    others = judged(
        [replace(t, labels=1 - t.labels) if t.group == group else t for t in tasks],
    )
    assert others.keys() == found.keys()
    for label, of_tables in found.items():
        changed = {name for name in of_tables if (of_tables[name] != others[label][name]).any()}
        assert not changed & own
        # The mean knows no labels, and the best signal stays the best by far.
        assert bool(changed) == (label not in (MEAN, SINGLE))


def test_every_table_has_scores_in_every_case(found):
    every = {(task.table, task.case): len(task.labels) for task in made_up_tasks()}
    given = {name: rows for name, rows in every.items() if name[1] not in PLANTED}
    assert found.keys() == {LEARNED, SEEKS_CELLS, *CONTROLS}
    for label, of_tables in found.items():
        wanted = given if label == SEEKS_CELLS else every
        assert {name: len(scores) for name, scores in of_tables.items()} == wanted
        assert all(np.isfinite(scores).all() for scores in of_tables.values())
        assert any(np.ptp(scores) > 0 for scores in of_tables.values())


def test_the_progress_names_every_fold_of_every_kind():
    said = [what for what, _ in cross_validated(made_up_tasks(), SMALL, workers=1)]
    assert said == [f"fold {fold} of {kind}" for kind in KINDS for fold in range(1, FOLDS + 1)]


def test_scores_do_not_depend_on_how_many_folds_are_judged_at_once(found):
    again = judged(made_up_tasks(), workers=3)
    for label, of_tables in found.items():
        for name, scores in of_tables.items():
            np.testing.assert_array_equal(again[label][name], scores)


# -- scores and controls -------------------------------------------------------------------------


@pytest.mark.parametrize("case", TRAINING)
def test_rows_that_train_are_scored_in_the_unit_of_their_fold(case):
    task = made_up_task(case=case)
    raw = task.inputs[:, TELLS].astype(float) * (1 + task.fold) + 10 * task.fold
    found = standardised(task, lambda inputs: raw.copy())
    if case not in OWN:
        np.testing.assert_array_equal(found, raw)
        return
    for fold in range(5):
        held = task.fold == fold
        assert np.median(found[held]) == pytest.approx(0)
        np.testing.assert_array_equal(np.argsort(found[held]), np.argsort(raw[held]))
    spreads = [np.ptp(found[task.fold == fold]) for fold in range(5)]
    assert max(spreads) < 4 * min(spreads)


@pytest.mark.parametrize("looks", [1, 2])
def test_weights_are_given_what_they_are_monotone_in_and_then_the_contrasts(looks):
    monotone, free = (looks * size for size in Extremes.sizes())
    parts = ((monotone, 2), (free, 2), (2,), (2,))
    weights = Weights(*map(np.zeros, parts), np.ones(monotone), np.full(free, 1000.0))
    inputs = np.concatenate([np.full((3, monotone), 1.0), np.full((3, free), 2.0)], axis=1)
    np.testing.assert_allclose(of_weights(weights)(inputs), monotone + 2000 * free)


def test_the_mean_control_is_that_of_the_tails_in_the_first_look(found):
    for task in made_up_tasks():
        if task.case in ("clean", "mixed"):
            wanted = task.inputs[:, : len(LEVELS)].astype(float).mean(axis=1)
            np.testing.assert_allclose(found[MEAN][task.table, task.case], wanted)


def test_the_best_single_signal_is_the_one_that_tells(found):
    for task in made_up_tasks():
        if task.case in ("mixed", "planted clean"):
            np.testing.assert_array_equal(
                found[SINGLE][task.table, task.case], task.inputs[:, TELLS]
            )


def test_the_best_single_signal_is_best_over_sources_and_not_over_tables():
    signals, tasks = {}, []
    for at in range(9):
        task = made_up_task(str(at), "many" if at < 6 else str(at))
        tasks.append(task)
        auc = np.full(len(LEVELS), 0.5)
        auc[0 if at < 6 else 1] = 0.9
        signals[task.table, task.case] = auc
    judge = crossing._best_single(tasks, signals)
    inputs = tasks[0].inputs
    np.testing.assert_array_equal(judge(inputs), inputs[:, len(LEVELS) + 1])


def test_the_worth_of_a_signal_is_its_area_under_the_curve():
    task = made_up_task()
    found = crossing._auc_of_signals(task)
    distances = task.inputs[:, len(LEVELS) : 2 * len(LEVELS)].astype(float)
    np.testing.assert_allclose(found, [auc_roc(task.labels, each) for each in distances.T])
    assert found.argmax() == SIGNAL
    assert np.isnan(crossing._auc_of_signals(replace(task, labels=0 * task.labels))).all()


def test_the_logistic_control_finds_what_tells_in_either_direction():
    tasks = [made_up_task(name, name, rows=120, odd=12) for name in "abcdefgh"]
    downwards = [replace(task, inputs=-task.inputs) for task in tasks]
    for given in (tasks, downwards):
        judge, unseen = crossing._logistic(given[:-1]), given[-1]
        assert auc_roc(unseen.labels, judge(unseen.inputs.astype(float))) > 0.9


def test_the_logistic_control_counts_a_source_once():
    """One source of nine tables has higher anomalies, and two of one table have lower ones."""
    known = []
    for table, group in [*((f"m{at}", "many") for at in range(9)), ("a", "a"), ("b", "b")]:
        task = made_up_task(table, group)
        inputs = np.zeros_like(task.inputs)
        inputs[:, TELLS] = task.inputs[:, TELLS] * (1 if group == "many" else -1)
        known.append(replace(task, inputs=inputs))
    judge = crossing._logistic(known)
    assert judge(np.eye(known[0].inputs.shape[1]))[TELLS] < 0
