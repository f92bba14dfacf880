"""A table model: fitted on one table, it judges and explains others, and can be saved."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from made_up_orders import changed, orders
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from slad import TableDetector
from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError, ConfigError, DataError
from slad.core.seeds import Streams
from slad.model.checks import self_checks
from slad.tables import read

FAST = "knn-5"


@pytest.fixture(scope="module")
def model() -> TableDetector:
    return TableDetector(FAST, level=0.05).fit(orders(400))


@pytest.fixture(scope="module")
def trained() -> TableDetector:
    return TableDetector("slad", level=0.05, parameters={"epochs": 3}).fit(orders(300))


def test_a_row_with_a_wild_cell_is_flagged_and_usual_rows_mostly_are_not(
    model: TableDetector,
) -> None:
    fresh = changed(orders(200, seed=1), 7, price=900.0)
    judgement = model.judge(fresh)
    assert judgement.order[0] == 7
    assert judgement.flags[7]
    assert judgement.pvalues[7] == pytest.approx(1 / 401)
    assert judgement.flags.mean() < 0.15


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"price": 900.0}, "price"),
        ({"item": "elephant"}, "item"),
        ({"gift": None}, "gift"),
        ({"price": 25.0, "item": "tea", "weight": 250.0}, "item"),
    ],
)
def test_the_first_reason_names_the_planted_column(
    model: TableDetector, cells: dict[str, object], column: str
) -> None:
    fresh = changed(orders(50, seed=2), 3, **cells)
    (explanation,) = model.explain(fresh, [3])
    assert explanation.row == 3
    assert column in explanation.reasons[0].columns
    assert column in explanation.sentence


def test_own_rows_are_judged_by_members_that_had_not_seen_them() -> None:
    table = changed(orders(300), 11, price=900.0)
    model = TableDetector("knn-1", own_rows=True).fit(table)
    judgement = model.judge_own()
    assert judgement.order[0] == 11
    assert judgement.flags[11]
    # A member that had seen a row would give it distance 0, and all rows the same score.
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
            TableDetector(parameters=parameters, level=0.1, random_state=seed)
            .fit(table)
            .anomaly_score(table)
        )

    first = scores(0)
    np.testing.assert_array_equal(first, scores(0))
    assert not np.allclose(first, scores(1))


def test_a_row_that_is_odd_in_many_columns_at_once_is_explained_by_all_of_them() -> None:
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(600, 6))
    cells[:4] += 7  # near each other, so that none of them looks better with one column put right
    table = pa.table({f"c{at}": column for at, column in enumerate(cells.T)})
    model = TableDetector("knn-1", level=0.05).fit(table)
    for explanation in model.explain_own(table, [0, 1, 2, 3]):
        assert set(explanation.reasons[0].columns) == set(table.column_names)
        assert explanation.reasons[0].contribution > 0
        assert explanation.sentence.startswith("odd together: ")
        assert "and 3 more columns" in explanation.sentence


def test_a_saved_model_judges_and_explains_as_before(trained: TableDetector, tmp_path) -> None:
    trained.save(tmp_path / "m.slad")
    again = TableDetector.load(tmp_path / "m.slad")
    fresh = changed(orders(40, seed=4), 5, price=500.0)
    before, after = trained.judge(fresh), again.judge(fresh)
    np.testing.assert_array_equal(before.scores, after.scores)
    np.testing.assert_array_equal(before.errors, after.errors)
    np.testing.assert_array_equal(before.pvalues, after.pvalues)
    assert trained.explain(fresh, [5, 6]) == again.explain(fresh, [5, 6])
    assert again.profile_ == trained.profile_


@pytest.mark.parametrize("detector", ["iforest", "ecod", "lof", "ocsvm", "knn-1", "slad-paper"])
def test_every_detector_goes_the_whole_way(detector: str, tmp_path) -> None:
    parameters = {"epochs": 1} if detector.startswith("slad-") else {}
    model = TableDetector(detector, parameters=parameters, level=0.1).fit(orders(120))
    fresh = orders(30, seed=5)
    model.save(tmp_path / "m.slad")
    np.testing.assert_array_equal(
        TableDetector.load(tmp_path / "m.slad").anomaly_score(fresh), model.anomaly_score(fresh)
    )
    assert len(model.explain(fresh, [0, 1])) == 2


def test_a_model_without_training_rows_says_that_it_cannot_judge_them(
    model: TableDetector, tmp_path
) -> None:
    model.save(tmp_path / "m.slad")
    with pytest.raises(ConfigError, match="own_rows=True"):
        TableDetector.load(tmp_path / "m.slad").judge_own()


def test_a_numeric_model_and_a_table_model_are_told_apart(model: TableDetector, tmp_path) -> None:
    import slad

    model.save(tmp_path / "table.slad")
    with pytest.raises(ArtifactError, match=r"TableDetector\.load"):
        slad.load(tmp_path / "table.slad")
    slad.SLAD(epochs=1).fit(np.random.default_rng(0).normal(size=(30, 3))).save(
        tmp_path / "numbers.slad"
    )
    with pytest.raises(ArtifactError, match=r"slad\.load"):
        TableDetector.load(tmp_path / "numbers.slad")


def test_a_model_that_lacks_a_part_names_the_file_and_the_way_out(
    model: TableDetector, tmp_path
) -> None:
    model.save(tmp_path / "m.slad")
    description, arrays = read_artifact(tmp_path / "m.slad")
    for lost in ("0.encoder.0.shares", "0.detector.rows", "calibration.scores"):
        left = {name: array for name, array in arrays.items() if not name.startswith(lost)}
        assert len(left) < len(arrays), lost
        write_artifact(tmp_path / "less.slad", description, left)
        with pytest.raises(ArtifactError, match=r"less\.slad.*fit again"):
            TableDetector.load(tmp_path / "less.slad")


def test_ids_and_labels_are_never_learned_from() -> None:
    table = orders(200)
    labels = Streams(0).numpy("labels").integers(0, 2, 200)
    with_label = table.append_column("fraud", pa.array(labels))
    plain = TableDetector(FAST, level=0.05, id="order").fit(table)
    labelled = TableDetector(FAST, level=0.05, id="order", label="fraud").fit(with_label)
    fresh = orders(50, seed=6)
    np.testing.assert_array_equal(plain.anomaly_score(fresh), labelled.anomaly_score(fresh))


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


@pytest.mark.parametrize("how", [{"calibration": "split"}, {"own_rows": True}])
def test_a_detector_without_spread_refuses_to_set_rows_aside(how, monkeypatch) -> None:
    monkeypatch.setattr("slad.model.table_detector.fit_members", pytest.fail)
    with pytest.raises(ConfigError, match=r"reject=0\.9: a row gets one score of ecod"):
        TableDetector("ecod", reject=0.9, **how).fit(orders(300))


def test_a_false_discovery_rate_that_could_flag_no_single_row_says_so(tmp_path) -> None:
    table = read(orders(150))
    model = TableDetector("knn-5", rule="fdr", level=0.1, clean=True).fit(table)
    checks = self_checks(model, model.judge(orders(150, seed=1)))
    assert [check["text"] for check in checks if "single" in check["name"]] == [
        "of 150 rows judged against 150, at least 10 must be stranger than all of these before any "
        "is flagged: learn from more rows, judge fewer at a time, or use --fpr"
    ]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rule": "fqr"}, "no rule is called 'fqr'; did you mean fpr"),
        ({"level": 2.0}, "fpr=2.0"),
        ({"detector": "slat"}, "no detector is called 'slat'; did you mean slad"),
        ({"parameters": {"epoch": 3}}, "no parameter 'epoch'"),
        ({"reject": 0.2}, "reject=0.2"),
        ({"id": "number"}, "no id column 'number'"),
        ({"calibration": "crosss"}, "no calibration is called 'crosss'"),
        ({"level": 0.0001}, "needs .* calibration rows"),
        ({"rule": "fdr", "level": 0.1, "own_rows": True}, "reference"),
    ],
)
def test_a_wrong_option_is_named_before_any_training(parameters, message, monkeypatch) -> None:
    monkeypatch.setattr("slad.model.table_detector.fit_members", pytest.fail)
    with pytest.raises(ConfigError, match=message):
        TableDetector(**({"detector": FAST} | parameters)).fit(orders(100))


def test_a_table_with_nothing_to_learn_from_says_why() -> None:
    table = pa.table({"id": list(range(50)), "same": ["x"] * 50})
    with pytest.raises(DataError, match=r"no column to learn from: 'id' .* 'same'"):
        TableDetector(FAST).fit(table)


def test_very_few_rows_are_refused_with_their_number() -> None:
    with pytest.raises(DataError, match="has 9 rows; 10 are the least"):
        TableDetector(FAST, rule="top", level=3).fit(orders(9))


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


@pytest.mark.parametrize(
    "kind", [pa.time32("s"), pa.time64("us"), pa.date32(), pa.timestamp("ns"), pa.duration("ms")]
)
def test_every_type_of_time_is_profiled_and_explained(kind: pa.DataType) -> None:
    whole = pa.int32() if kind.bit_width == 32 else pa.int64()
    when = pa.array(np.arange(100) * 37 % 1000, whole).cast(kind)
    table = orders(100).append_column("when", when)
    model = TableDetector(FAST, level=0.05).fit(table)
    assert {column["name"]: column["shape"] for column in model.profile_}["when"]["counts"]
    assert len(model.explain(table, [3])) == 1
