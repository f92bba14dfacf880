"""A table model: fitted on one table, it judges and explains others, and can be saved."""

from __future__ import annotations

import numpy as np
import pytest
from made_up_orders import FAST, changed, orders
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from slad import TableDetector
from slad.core.errors import DataError


def test_a_row_with_a_wild_cell_is_flagged_and_usual_rows_mostly_are_not(
    model: TableDetector,
) -> None:
    fresh = changed(orders(200, seed=1), 7, price=900.0)
    judgement = model.judge(fresh)
    assert judgement.order[0] == 7
    assert judgement.flags[7]
    assert judgement.pvalues[7] == pytest.approx(1 / 401)
    assert judgement.flags.mean() < 0.15


def test_own_rows_are_judged_by_fold_models_that_had_not_seen_them() -> None:
    table = changed(orders(300), 11, price=900.0)
    model = TableDetector("knn-1", own_rows=True).fit(table)
    judgement = model.judge_own()
    assert judgement.order[0] == 11
    assert judgement.flags[11]
    # A fold model that had seen a row would give it distance 0, and all rows the same score.
    assert len(np.unique(judgement.scores)) > 250
    assert judgement.flags.sum() <= 3
    (explanation,) = model.explain_own(table, [11])
    assert "price" in explanation.reasons[0].columns


def test_a_score_does_not_depend_on_the_other_rows_of_the_table(trained: TableDetector) -> None:
    fresh = orders(60, seed=3)
    whole = trained.anomaly_score(fresh)
    alone = [trained.anomaly_score(fresh.slice(row, 1))[0] for row in (0, 17, 59)]
    np.testing.assert_allclose(whole[[0, 17, 59]], alone, rtol=1e-6, atol=1e-6)


def test_the_same_seed_gives_the_same_scores_and_another_seed_others() -> None:
    def scores(seed: int) -> np.ndarray:
        parameters = {"n_views": 100}
        table = orders(120)
        return (
            TableDetector("neighbor-scale", parameters=parameters, level=0.1, random_state=seed)
            .fit(table)
            .anomaly_score(table)
        )

    first = scores(0)
    np.testing.assert_array_equal(first, scores(0))
    assert not np.allclose(first, scores(1))


def test_rejection_sets_rows_near_the_threshold_aside(trained: TableDetector) -> None:
    fresh = orders(200, seed=7)
    sure = trained.judge(fresh)
    careful = TableDetector(**trained.get_params()).set_params(reject=0.95)
    for name, value in vars(trained).items():
        if name.endswith("_"):
            setattr(careful, name, value)
    judged = careful.judge(fresh)
    assert judged.unsure.any()
    assert not (judged.unsure & judged.flags).any()
    distance = np.abs(sure.scores - sure.threshold)
    assert distance[judged.unsure].mean() < distance[~judged.unsure].mean()
    assert set(judged.decisions) <= {"strange", "unsure", "usual"}


def test_a_missing_column_at_scoring_is_named(model: TableDetector) -> None:
    with pytest.raises(DataError, match="'price'"):
        model.judge(orders(5).drop_columns(["price"]))
    assert len(model.judge(orders(5).drop_columns(["order"])).scores) == 5


def test_pandas_and_polars_frames_give_the_same_scores_as_arrow(model: TableDetector) -> None:
    import polars as pl

    fresh = orders(20, seed=8)
    expected = model.anomaly_score(fresh)
    np.testing.assert_allclose(model.anomaly_score(fresh.to_pandas()), expected)
    np.testing.assert_allclose(model.anomaly_score(pl.from_arrow(fresh)), expected)


def test_a_fit_that_fails_leaves_no_model_behind() -> None:
    model = TableDetector(FAST, level=0.05).fit(orders(100))
    with pytest.raises(DataError):
        model.fit(orders(5))
    with pytest.raises(NotFittedError):
        model.judge(orders(5))


def test_a_clone_is_unfitted_and_has_the_same_parameters() -> None:
    model = TableDetector(FAST, level=0.05, drop=["gift"]).fit(orders(100))
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        copy.judge(orders(5))


def test_fit_predict_decides_on_the_training_rows_themselves() -> None:
    table = changed(orders(200), 4, price=900.0)
    model = TableDetector(FAST, level=0.02, own_rows=True)
    assert (
        np.flatnonzero(model.fit_predict(table) == -1).tolist()
        == np.flatnonzero(model.judge_own().flags).tolist()
    )
    assert model.judge_own().order[0] == 4


def test_score_samples_has_the_sign_of_scikit_learn(model: TableDetector) -> None:
    fresh = orders(10, seed=9)
    np.testing.assert_array_equal(model.score_samples(fresh), -model.anomaly_score(fresh))


def test_a_verbose_model_says_how_far_it_is_and_another_says_nothing(capsys) -> None:
    table = orders(120)
    for verbose in (True, False):
        model = TableDetector("knn-1", own_rows=True, verbose=verbose).fit(table)
        model.judge(table)
        model.explain_own(table, [3, 4])
        said = capsys.readouterr().err
        for line in (
            "0 of 5 fold models fitted",
            "0 of 120 held-out rows scored",
            "0 of 600 rows scored by the fold models",
            "0 of 2 rows explained",
        ):
            assert (line in said) is verbose
