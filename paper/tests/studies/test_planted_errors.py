"""Planted errors are what their kind says, one in a row, and what is found is measured fairly."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pytest

from slad.tables import plan_columns
from slad_paper.runner.study import Case
from slad_paper.studies.planted_errors import study
from slad_paper.studies.planted_errors.dependence import explained
from slad_paper.studies.planted_errors.plants import CONVERSIONS, EACH, KINDS, Error, plant
from slad_paper.studies.planted_errors.sheet import Sheet
from slad_paper.studies.planted_errors.sources import TABLES

UNITS = {"weight": "pounds"}


@pytest.fixture
def frame() -> pa.Table:
    """800 cars: weight follows from the class, which comes with nothing else."""
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 800)
    start = date(2019, 1, 1)
    return pa.table(
        {
            "class": [("small", "middle", "large")[each] for each in classes],
            "weight": 1000 * (classes + 1) + rng.normal(0, 40, 800),
            "length": rng.normal(400, 30, 800),
            "seats": rng.integers(2, 40, 800),
            "built": rng.integers(1950, 2020, 800),
            "sold": [start + timedelta(days=int(day)) for day in rng.integers(0, 700, 800)],
        }
    )


@pytest.fixture
def planted(frame: pa.Table) -> tuple[pa.Table, list[Error]]:
    return plant(frame, UNITS, np.random.default_rng(1))


def of_kind(errors: list[Error], kind: str) -> list[Error]:
    return [error for error in errors if error.kind == kind]


def test_ten_of_each_kind_are_planted_each_in_a_row_of_its_own(planted):
    _, errors = planted
    assert {kind: len(of_kind(errors, kind)) for kind in KINDS} == dict.fromkeys(KINDS, EACH)
    assert len({error.row for error in errors}) == len(errors)


def test_only_the_named_cells_differ(frame, planted):
    changed, errors = planted
    cells = {(error.row, name) for error in errors for name in error.cells}
    before, after = frame.to_pylist(), changed.to_pylist()
    different = {
        (row, name) for row in range(800) for name in frame.column_names
        if before[row][name] != after[row][name]
    }  # fmt: skip
    assert different == cells


def test_the_same_generator_plants_the_same_errors(frame, planted):
    again = plant(frame, UNITS, np.random.default_rng(1))
    assert again[0].equals(planted[0])
    assert again[1] == planted[1]


def test_a_small_table_has_errors_in_a_tenth_of_its_rows_at_most(frame):
    _, errors = plant(frame.slice(0, 150), UNITS, np.random.default_rng(1))
    assert 0 < len(errors) <= 15


def test_a_unit_is_the_declared_one(frame, planted):
    for error in of_kind(planted[1], "unit"):
        assert error.cells == {
            "weight": pytest.approx(CONVERSIONS["pounds"](frame["weight"][error.row].as_py()))
        }


def test_exchanged_numbers_are_those_of_the_row(frame, planted):
    for error in of_kind(planted[1], "swapped columns"):
        old = [frame[name][error.row].as_py() for name in error.cells]
        assert list(error.cells.values()) == old[::-1]


def test_a_typo_is_no_category_of_the_table(frame, planted):
    typos = [error.cells["class"] for error in of_kind(planted[1], "typo")]
    assert not set(typos) & {"small", "middle", "large"}
    assert {"letter", "case", "space"} == {
        "space" if text.endswith(" ") else "case" if text.isupper() else "letter" for text in typos
    }


def test_dates_are_beyond_all_of_the_column(frame, planted):
    dates = [value for e in of_kind(planted[1], "far date") for value in e.cells.values()]
    years = {value.year if isinstance(value, date) else value for value in dates}
    assert not any(1950 <= year < 2020 for year in years)
    assert {2080, 1900} <= years


def test_a_broken_dependency_is_a_usual_value_with_the_wrong_others(frame, planted):
    for error in of_kind(planted[1], "broken dependency"):
        row = frame.slice(error.row, 1).to_pylist()[0] | error.cells
        middle = {"small": 1000, "middle": 2000, "large": 3000}[row["class"]]
        assert abs(row["weight"] - middle) > 500
        assert all(value in frame[name].to_pylist() for name, value in error.cells.items())


def test_what_a_column_says_of_another_is_a_part_of_its_entropy():
    rng = np.random.default_rng(0)
    one = rng.integers(0, 4, 5000)
    assert explained(one, one) == pytest.approx(1.0, abs=0.01)
    assert explained(one, rng.integers(0, 4, 5000)) == pytest.approx(0.0, abs=0.01)
    assert explained(one // 2, one) > explained(one, one // 2)


def test_a_slip_makes_a_column_of_whole_numbers_one_of_fractions(frame):
    changed = Sheet.of(frame, {}).changed({"seats": {3: 0.4}})
    assert changed["seats"].type == pa.float64()
    assert changed.schema.names == frame.schema.names
    assert Sheet.of(frame, {}).changed({"seats": {3: None}})["seats"].type == pa.int64()


def test_columns_that_the_model_leaves_out_are_left_alone(frame):
    numbered = frame.append_column("id", pa.array(range(800)))
    assert "id" not in {each.name for each in plan_columns(numbered) if each.used}
    _, errors = plant(numbered, UNITS, np.random.default_rng(1))
    assert not any("id" in error.cells for error in errors)


def test_ties_at_the_border_count_as_drawn_and_places_as_parts_of_the_rows():
    scores = np.array([5.0, 1.0, 1.0, 1.0, 0.0])
    errors = [Error("typo", 0, {}), Error("typo", 1, {}), Error("new gap", 4, {})]
    found = study.measured(scores, errors)
    assert found["errors"] == {"typo": 2, "new gap": 1}
    assert found["found"] == {"typo": pytest.approx((1 + 2 / 3) / 2), "new gap": 0.0}
    assert found["precision"] == pytest.approx((1 + 2 / 3) / 3)
    assert found["places"] == {"typo": [0.0, 0.4], "new gap": [0.8]}


def test_a_new_detector_adds_cases_and_changes_none(monkeypatch):
    before = study.cases(False)
    monkeypatch.setattr(study, "DETECTORS", (*study.DETECTORS, "pca"))
    after = study.cases(False)
    assert after[: len(before)] == before
    assert len(after) == len(before) + len(TABLES)
    assert len({case.name for case in after}) == len(after)


def test_every_unit_is_one_that_can_be_converted():
    assert len(TABLES) >= 12
    assert {unit for table in TABLES.values() for unit in table.units.values()} <= set(CONVERSIONS)
    assert all(table.licence for table in TABLES.values())


def test_a_case_judges_the_rows_it_spoilt(frame, monkeypatch):
    monkeypatch.setattr(study, "drawn", lambda name, seed, most: frame)
    monkeypatch.setattr(study, "version", lambda package: "1.0")
    settings = {"table": "planes", "detector": "knn-5", "rows": 800, "each": EACH, "seeds": [0]}
    result = study.run(Case("planes-knn-5", settings), "cpu")
    (draw,) = result["draws"]
    assert draw["rows"] == 800
    assert draw["found"]["gross value"] > 0.5
    assert 0.3 < draw["precision"] <= 1
