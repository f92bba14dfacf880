"""A fold model: encoder and detector of the same training rows."""

from __future__ import annotations

import json

import numpy as np
import pytest
from made_up_orders import orders

from slad.core.state import State
from slad.decisions import Fold, PartStandard, make_folds
from slad.detectors import ECOD, KNN, Detector
from slad.model import fold_model
from slad.model.fold_model import FoldModel, fit_detectors, fit_fold_models
from slad.tables import Encoder, plan_columns

TABLE = orders(60)
PLAN = plan_columns(TABLE)


def fitted(*detectors: Detector) -> tuple[list[FoldModel], list[Fold]]:
    folds = make_folds(60, calibration="cross")[: len(detectors)]
    return fit_fold_models(TABLE, PLAN, folds, detectors), folds


def test_each_learns_from_the_training_rows_of_its_fold_only() -> None:
    found, folds = fitted(KNN(n_neighbors=1), KNN(n_neighbors=1))
    for model, fold in zip(found, folds, strict=True):
        rows = TABLE.take(fold.train)
        encoder = Encoder.fit(rows, PLAN)
        alone = KNN(n_neighbors=1).fit(encoder.transform(rows))
        np.testing.assert_array_equal(
            model.score_parts(TABLE), alone.score_parts(encoder.transform(TABLE))
        )
        held = model.score_parts(TABLE.take(fold.held))
        assert held.min() > 0  # the distance of a row that trained to itself is 0
        assert model.score_parts(rows).max() == 0


@pytest.mark.parametrize("at_once", [1, 7, 60, 61])
def test_scores_do_not_depend_on_how_many_rows_are_scored_at_a_time(at_once, monkeypatch) -> None:
    [model], _ = fitted(ECOD())
    whole = model.score_parts(TABLE)
    monkeypatch.setattr(fold_model, "ROWS_AT_ONCE", at_once)
    np.testing.assert_array_equal(model.score_parts(TABLE), whole)


def test_standard_scores_are_those_of_encoded_rows_in_the_unit_of_held_out_ones() -> None:
    [model], [fold] = fitted(KNN(n_neighbors=3))
    model.standard = PartStandard.fit(model.score_parts(TABLE.take(fold.held)))
    np.testing.assert_array_equal(
        model.standard_scores(model.encoder.transform(TABLE)),
        model.standard.apply(model.score_parts(TABLE)),
    )


def test_blocks_cover_every_encoded_feature_once_in_the_order_of_the_columns() -> None:
    [model], _ = fitted(KNN(n_neighbors=1))
    covered = [feature for start, stop in model.blocks for feature in range(start, stop)]
    assert covered == list(range(model.encoder.transform(TABLE).shape[1]))
    assert len(model.blocks) == len(model.encoder.columns)


def test_a_state_of_json_and_arrays_gives_the_same_fold_model() -> None:
    [model], [fold] = fitted(KNN(n_neighbors=3))
    model.standard = PartStandard.fit(model.score_parts(TABLE.take(fold.held)))
    values, arrays = model.state()
    again = FoldModel.from_state(State(json.loads(json.dumps(values)), arrays))
    encoded = again.encoder.transform(TABLE)
    np.testing.assert_array_equal(
        again.standard_scores(encoded), model.standard_scores(model.encoder.transform(TABLE))
    )
    assert again.blocks == model.blocks


def test_detectors_that_cannot_train_as_one_stack_are_fitted_one_by_one() -> None:
    tables = [np.random.default_rng(seed).normal(size=(20, 2)) for seed in (0, 1)]
    detectors = [KNN(n_neighbors=1), ECOD()]
    fit_detectors(detectors, tables)
    for detector, alone, table in zip(detectors, (KNN(n_neighbors=1), ECOD()), tables, strict=True):
        rows = np.zeros((1, 2))
        assert detector.anomaly_score(rows) == alone.fit(table).anomaly_score(rows)


def test_every_fold_needs_a_detector() -> None:
    with pytest.raises(ValueError, match="zip"):
        fit_fold_models(TABLE, PLAN, make_folds(60), [KNN(n_neighbors=1)])
