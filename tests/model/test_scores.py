"""Scores by fold models: the mean for new rows, one fold model's for held-out rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from slad.decisions import Fold, make_folds, tied_rows
from slad.detectors import ECOD, KNN
from slad.model.fold_model import FoldModel, fit_fold_models
from slad.model.scores import ALL_FOLDS, Scores, calibration_scores, held_out_scores, scores_of
from slad.tables import plan_columns

TABLE = pa.table({name: np.random.default_rng(at).normal(size=50) for at, name in enumerate("xy")})
FRESH = pa.table({"x": [0.0, 9.0, 0.5], "y": [0.0, -9.0, 0.5]})


def fitted(calibration: str, table: pa.Table = TABLE) -> tuple[list[FoldModel], list[Fold], Scores]:
    folds = make_folds(table.num_rows, calibration=calibration)
    detectors = [KNN(n_neighbors=1) for _ in folds]
    fold_models = fit_fold_models(table, plan_columns(table), folds, detectors)
    return fold_models, folds, held_out_scores(table, fold_models, folds)


def test_a_held_out_row_has_the_score_of_the_fold_model_that_did_not_see_it() -> None:
    fold_models, folds, held = fitted("cross")
    for number, (model, fold) in enumerate(zip(fold_models, folds, strict=True)):
        assert (held.folds[fold.held] == number).all()
        expected = model.standard.apply(model.score_parts(TABLE.take(fold.held)))
        np.testing.assert_array_equal(held.scores[fold.held], expected)
        # In the unit of the fold: the median of its held-out scores is 0.
        assert np.median(held.scores[fold.held]) == pytest.approx(0)


def test_rows_that_were_never_held_out_have_no_score_and_calibrate_nothing() -> None:
    fold_models, folds, held = fitted("split")
    assert np.isnan(held.scores[folds[0].train]).all()
    assert (held.folds[folds[0].train] == ALL_FOLDS).all()
    calibrated = calibration_scores(TABLE, fold_models, folds, held)
    np.testing.assert_array_equal(calibrated, held.scores[folds[0].held])


def test_a_new_row_has_the_mean_score_of_all_fold_models() -> None:
    fold_models, _, _ = fitted("cross")
    found = scores_of(FRESH, fold_models)
    each = [model.standard.apply(model.score_parts(FRESH)) for model in fold_models]
    np.testing.assert_allclose(found.scores, np.mean(each, axis=0))
    np.testing.assert_allclose(found.errors, np.std(each, axis=0, ddof=1) / np.sqrt(5))
    assert (found.folds == ALL_FOLDS).all()
    assert found.scores.argmax() == 1


def test_one_score_of_one_fold_model_says_nothing_of_its_error() -> None:
    fold_models, folds, held = fitted("split")
    assert np.isnan(scores_of(FRESH, fold_models).errors).all()
    assert np.isnan(held.errors[folds[0].held]).all()


def test_equal_rows_calibrate_with_at_least_the_score_that_a_new_equal_row_would_get() -> None:
    table = pa.table({"x": [1.0] * 20 + TABLE["x"].to_pylist()[:30]})
    folds = make_folds(50, calibration="cross")
    fold_models = fit_fold_models(table, plan_columns(table), folds, [ECOD() for _ in folds])
    held = held_out_scores(table, fold_models, folds)
    calibrated = calibration_scores(table, fold_models, folds, held)
    [new] = scores_of(pa.table({"x": [1.0]}), fold_models).scores
    equal = [fold.held[fold.held < 20] for fold in folds]
    tied = np.concatenate([rows for rows in equal if len(rows) > 1])
    assert (held.scores[tied] < new - 1e-6).any()
    np.testing.assert_allclose(calibrated[tied], np.maximum(held.scores[tied], new))
    alone = np.concatenate([fold.held[~tied_rows(held.scores[fold.held])] for fold in folds])
    np.testing.assert_array_equal(calibrated[alone], held.scores[alone])
