"""Tables of words, dates and numbers with errors, made of tables of numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from slad_paper.datasets.one_class import OneClassTable, Rows
from slad_paper.signals import planting
from slad_paper.studies.planted_errors.plants import CONVERSIONS, MOST, plant

RNG = np.random.default_rng(0)
NORMAL = np.column_stack([RNG.integers(0, 4, size=(200, 3)), RNG.normal(size=(200, 4))])
"""Three columns of few values, four of many."""
FEW, MANY = range(3), range(3, 7)


@pytest.fixture
def spoilt(monkeypatch):
    """Spoils a table that has these normal rows, with ten anomalies among them."""

    def of(normal: np.ndarray, name: str = "table", anomaly: float = 9.0):
        odd = np.full((10, normal.shape[1]), anomaly)
        rows = np.concatenate([normal[:50], odd, normal[50:]])
        labels = np.repeat([0, 1, 0], [len(normal[:50]), 10, len(normal[50:])])
        found = {"own": Rows(rows, rows, labels, own=True)}
        monkeypatch.setattr(planting, "rows_of", lambda table, case: found[case])
        return planting.spoilt(OneClassTable(name, "made up", "a", normal.shape[1], ""))

    return of


@pytest.fixture
def planted(monkeypatch):
    """What errors were planted in: a table and the units of its columns, each time."""
    calls = []

    def spy(frame, units, rng):
        calls.append((frame, units))
        return plant(frame, units, rng)

    monkeypatch.setattr(planting, "plant", spy)
    return calls


def rates(monkeypatch, *, words: float, dates: float) -> None:
    monkeypatch.setattr(planting, "WORDS", words)
    monkeypatch.setattr(planting, "DATES", dates)


def column(frame: pa.Table, place: int) -> np.ndarray:
    return np.array(frame[f"column {place}"].to_pylist())


def test_a_table_is_always_spoilt_in_the_same_way_and_another_in_another_way(spoilt):
    (frame, labels), (again, labels_again) = spoilt(NORMAL), spoilt(NORMAL)
    assert frame.equals(again)
    np.testing.assert_array_equal(labels, labels_again)
    other, labels_of_other = spoilt(NORMAL, "other table")
    assert not frame.equals(other)
    assert (labels != labels_of_other).any()


def test_the_labels_mark_exactly_the_rows_that_were_changed(spoilt, planted):
    frame, labels = spoilt(NORMAL)
    [(before, _)] = planted
    pairs = zip(before.to_pylist(), frame.to_pylist(), strict=True)
    np.testing.assert_array_equal(labels, [int(one != other) for one, other in pairs])
    assert planting.FEWEST_ERRORS <= labels.sum() <= MOST * len(labels)


def test_only_normal_rows_are_used(spoilt):
    frame, labels = spoilt(NORMAL)
    assert frame.num_rows == len(labels) == len(NORMAL)
    whatever_they_are, same_labels = spoilt(NORMAL, anomaly=-1e6)
    assert frame.equals(whatever_they_are)
    np.testing.assert_array_equal(labels, same_labels)


def test_small_tables_are_left_aside(spoilt):
    assert spoilt(NORMAL[: planting.FEWEST_ROWS - 1]) is None
    assert spoilt(NORMAL[: planting.FEWEST_ROWS]) is not None


def test_tables_with_few_errors_are_left_aside(spoilt, monkeypatch):
    _, labels = spoilt(NORMAL)
    monkeypatch.setattr(planting, "FEWEST_ERRORS", labels.sum())
    assert spoilt(NORMAL) is not None
    monkeypatch.setattr(planting, "FEWEST_ERRORS", labels.sum() + 1)
    assert spoilt(NORMAL) is None


def test_a_table_of_equal_rows_has_no_cell_to_spoil(spoilt):
    assert spoilt(np.ones((300, 3))) is None


def test_there_are_words_dates_and_numbers(spoilt, planted):
    for name in "abcdef":
        spoilt(NORMAL, name)
    types = {type_ for frame, _ in planted for type_ in frame.schema.types}
    assert types == {pa.string(), pa.date32(), pa.float64()}


def test_a_word_stands_for_one_number(spoilt, planted, monkeypatch):
    rates(monkeypatch, words=1, dates=0)
    spoilt(NORMAL)
    [(frame, _)] = planted
    for place in FEW:
        assert frame.schema.field(f"column {place}").type == pa.string()
        pairs = set(zip(column(frame, place), NORMAL[:, place], strict=True))
        assert len(pairs) == len({word for word, _ in pairs}) == 4


@pytest.mark.parametrize(("dates", "type_"), [(1, pa.date32()), (0, pa.float64())])
def test_dates_and_measures_keep_the_order_of_the_numbers(
    dates, type_, spoilt, planted, monkeypatch
):
    rates(monkeypatch, words=0, dates=dates)
    spoilt(NORMAL)
    [(frame, _)] = planted
    for place in MANY:
        assert frame.schema.field(f"column {place}").type == type_
        ordered = column(frame, place)[np.argsort(NORMAL[:, place])]
        assert (ordered[1:] >= ordered[:-1]).all()
        assert len(set(ordered)) > planting.MANY_VALUES
    for place in FEW:
        np.testing.assert_array_equal(column(frame, place), NORMAL[:, place])


def test_measures_alone_have_units(spoilt, planted, monkeypatch):
    monkeypatch.setattr(planting, "UNITS", 1)
    rates(monkeypatch, words=0, dates=0)
    spoilt(NORMAL)
    [(_, units)] = planted
    assert set(units) == {f"column {place}" for place in MANY}
    assert set(units.values()) <= CONVERSIONS.keys()


def test_some_columns_of_a_wide_table_are_drawn_and_equal_values_are_no_column(spoilt):
    wide = np.random.default_rng(1).normal(size=(150, planting.MOST_COLUMNS + 6))
    frame, _ = spoilt(wide)
    assert frame.num_columns == planting.MOST_COLUMNS
    wide[:, 1:] = 3
    frame, _ = spoilt(wide[:, :4])
    assert frame.column_names == ["column 0"]
