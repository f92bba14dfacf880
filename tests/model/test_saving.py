"""Saved table models judge and explain as before, and say what is wrong with a broken file."""

from __future__ import annotations

import numpy as np
import pytest
from made_up_orders import changed, orders

from slad import TableDetector
from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError, ConfigError
from slad.model.saving import on_device


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


def test_a_state_makes_the_same_model_and_the_same_state(trained: TableDetector) -> None:
    again = TableDetector.from_state(trained.state())
    fresh = orders(30, seed=11)
    np.testing.assert_array_equal(again.anomaly_score(fresh), trained.anomaly_score(fresh))
    values, arrays = again.state()
    assert values == trained.state().values
    for name, array in trained.state().arrays.items():
        np.testing.assert_array_equal(arrays[name], array, err_msg=name)


def test_another_device_is_that_of_the_model_and_of_every_detector_that_has_one(
    model: TableDetector, trained: TableDetector
) -> None:
    moved = on_device(trained.state(), "cpu").values
    assert moved["parameters"]["device"] == "cpu"
    assert {each["detector"]["parameters"]["device"] for each in moved["members"]} == {"cpu"}
    assert trained.state().values["parameters"]["device"] == "auto"
    without = on_device(model.state(), "cpu")
    assert TableDetector.from_state(without).device == "cpu"
