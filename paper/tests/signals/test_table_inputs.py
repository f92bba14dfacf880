"""What the network is given of a table: of which rows, by looks at which others, in what file."""

from __future__ import annotations

import numpy as np
import pytest

from made_up_tables import NAMES, write_tables
from slad import TableDetector
from slad.detectors.signals.looks import Looks
from slad.detectors.signals.profile import Extremes
from slad.detectors.signals.weights import KINDS, weights_of
from slad_paper.datasets.one_class import CASES, one_class_table, rows_of
from slad_paper.signals import table_inputs
from slad_paper.signals.crossing import of_weights, standardised
from slad_paper.signals.planting import spoilt
from slad_paper.signals.table_inputs import (
    OWN,
    PLANTED,
    TRAINING,
    TableInputs,
    Task,
    carry_out,
    kind_of,
    load,
    make,
    teach,
)
from slad_paper.studies.table_runs import detector_of, folds_of

TABLE, TOO_SMALL = NAMES[1], NAMES[3]
"""The second one's case "own" has fewer normal rows than errors are planted in."""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Of the data, and where inputs are kept."""
    root = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLAD_DATA", str(root))
        yield write_tables(root, train=100, normal=80, odd=16)


@pytest.fixture(scope="module")
def tasks(root) -> dict[str, Task]:
    """A table in all cases, from files."""
    for case in TRAINING:
        make(wanted(root, case))
    return {case: load(wanted(root, case)) for case in TRAINING}


def wanted(root, case: str, table: str = TABLE) -> TableInputs:
    return TableInputs(table, case, str(root / "inputs"))


def looks_at(monkeypatch) -> list[tuple[bool, np.ndarray, np.ndarray]]:
    """What will be looked at: whether the training rows are normal, these, and judged rows."""
    calls = []

    class Spy:
        @staticmethod
        def fit(train, *, clean, **options):
            looks, own = Looks.fit(train, clean=clean, **options)

            class Noted:
                @staticmethod
                def inputs(judged):
                    calls.append((clean, train, judged))
                    return looks.inputs(judged)

            return Noted, own

    monkeypatch.setattr(table_inputs, "Looks", Spy)
    return calls


def as_rows(table: np.ndarray) -> list[tuple[float, ...]]:
    return [tuple(row) for row in table.tolist()]


# -- kinds of weights --------------------------------------------------------------------------


def test_every_case_is_judged_by_a_kind_that_learns_from_it_and_every_kind_judges():
    assert {kind_of(case) for case in TRAINING} == set(KINDS)
    assert all(teach(kind_of(case), case) for case in TRAINING)
    assert set(CASES) == TRAINING.keys() - set(PLANTED)


@pytest.mark.parametrize(
    ("kind", "cases"),
    [
        ("clean rows", {"clean"}),
        ("mixed rows", {"own", "mixed"}),
        ("clean cells", {"clean", "planted clean"}),
        ("mixed cells", {"own", "mixed", "planted own"}),
    ],
)
def test_a_kind_learns_from_training_rows_like_its_own_and_rows_never_from_cells(kind, cases):
    assert {case for case in TRAINING if teach(kind, case)} == cases


# -- rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", TRAINING)
def test_every_judged_row_has_inputs(case, tasks):
    task, looks = tasks[case], 1 if TRAINING[case] == "clean" else 2
    assert (task.table, task.group, task.case) == (TABLE, "a", case)
    assert task.inputs.shape == (len(task.labels), looks * sum(Extremes.sizes()))
    assert np.isfinite(task.inputs).all()
    assert (np.ptp(task.inputs, axis=1) > 0).all()
    assert set(task.labels) == {0, 1}
    assert set(task.fold) == (set(range(5)) if case in OWN else {0})


@pytest.mark.parametrize("case", CASES)
def test_labels_are_those_of_the_table_in_the_case(case, tasks):
    np.testing.assert_array_equal(tasks[case].labels, rows_of(one_class_table(TABLE), case).labels)


@pytest.mark.parametrize("case", OWN)
def test_a_row_that_trains_is_looked_at_beside_the_other_folds_alone(
    case, root, tmp_path, tasks, monkeypatch
):
    calls = looks_at(monkeypatch)
    make(wanted(tmp_path, case))
    fold, held = tasks[case].fold, []
    assert len(calls) == 5
    for number, (clean, train, judged) in enumerate(calls):
        assert not clean
        assert len(judged) == (fold == number).sum()
        assert len(train) == (fold != number).sum()
        assert not set(as_rows(train)) & set(as_rows(judged))
        held += as_rows(judged)
    if case == "own":  # others are encoded anew in every fold
        rows = rows_of(one_class_table(TABLE), "own").train
        assert sorted(held) == sorted(as_rows(rows))
        np.testing.assert_array_equal(calls[2][2], rows[fold == 2])


def test_inputs_of_a_fold_are_those_of_looks_at_the_others(tasks):
    rows, task = rows_of(one_class_table(TABLE), "own"), tasks["own"]
    for number in range(5):
        held = task.fold == number
        seed = detector_of("learned-signals", "own", number).get_params()["random_state"]
        looks, _ = Looks.fit(rows.train[~held], clean=False, max_rows=4096, seed=seed)
        inputs = np.hstack(looks.inputs(rows.judged[held])).astype(np.float16)
        np.testing.assert_array_equal(task.inputs[held], inputs)


def test_errors_are_sought_beside_normal_rows_that_are_not_judged(
    root, tmp_path, tasks, monkeypatch
):
    calls = looks_at(monkeypatch)
    make(wanted(tmp_path, "planted clean"))
    [(clean, train, judged)] = calls
    frame, labels = spoilt(one_class_table(TABLE))
    assert clean
    assert len(train) + len(judged) == frame.num_rows
    assert not set(as_rows(train)) & set(as_rows(judged))
    assert tasks["planted clean"].labels.sum() == labels.sum() > 0


# -- what a user gets ----------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["clean", "mixed", "own"])
def test_weights_and_inputs_give_the_scores_of_the_study_of_tables(case, tasks):
    rows, task = rows_of(one_class_table(TABLE), case), tasks[case]
    scores = np.zeros(len(rows.judged))
    for number, fold in enumerate(folds_of(rows)):
        held = task.fold == number
        detector = detector_of("learned-signals", case, number).fit(rows.train[fold.train])
        scores[held] = detector.anomaly_score(rows.judged[held])
    judge = of_weights(weights_of(kind_of(case)))
    found = judge(task.inputs.astype(float))
    np.testing.assert_allclose(found, scores, atol=0.01 * scores.std())  # in half precision


def test_weights_and_inputs_give_the_scores_of_a_table_detector(tasks):
    frame, labels = spoilt(one_class_table(TABLE))
    task = tasks["planted own"]
    model = TableDetector(
        "learned-signals", parameters={"seeks": "cells"}, own_rows=True, random_state=0
    )
    scores = model.fit(frame).own_scores().scores
    np.testing.assert_array_equal(task.labels, labels)
    found = standardised(task, of_weights(weights_of("mixed cells")))
    np.testing.assert_allclose(found, scores, atol=0.01 * scores.std())


# -- files ---------------------------------------------------------------------------------------


def test_a_file_holds_plain_arrays_and_its_name_no_space(root, tasks):
    path = wanted(root, "planted own").path
    assert path == root / "inputs" / "planted-own" / f"{TABLE}.npz"
    with np.load(path, allow_pickle=False) as stored:
        types = {name: stored[name].dtype for name in stored.files}
    assert types == {"inputs": np.float16, "labels": np.int8, "fold": np.int8}
    assert not [each for each in path.parent.iterdir() if each.suffix != ".npz"]


def test_the_same_table_gives_the_same_file(root, tmp_path, tasks):
    for case in ("mixed", "planted clean"):
        make(wanted(tmp_path, case))
        assert wanted(tmp_path, case).path.read_bytes() == wanted(root, case).path.read_bytes()


@pytest.mark.parametrize("case", PLANTED)
def test_a_table_that_is_too_small_for_errors_gives_no_rows(case, root):
    assert spoilt(one_class_table(TOO_SMALL)) is None
    make(wanted(root, case, TOO_SMALL))
    task = load(wanted(root, case, TOO_SMALL))
    assert len(task.labels) == len(task.inputs) == len(task.fold) == 0


def test_a_table_that_fails_is_named_and_the_others_are_made(root, tmp_path):
    unit = [wanted(tmp_path, "clean", name) for name in ("nonsense", TABLE)]
    first, second = carry_out(unit, "cpu")
    assert (first["status"], second["status"]) == ("failed", "ok")
    assert "no table is called 'nonsense'" in first["reason"]
    assert not unit[0].path.exists()
    assert unit[1].path.exists()
