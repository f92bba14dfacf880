"""The one-class tables: their listing, and which rows learn and are judged in each case."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from made_up_tables import GROUPS, NAMES, write_tables
from slad.core.errors import ConfigError, DataError
from slad_paper.datasets import one_class
from slad_paper.datasets.one_class import CASES, one_class_table, one_class_tables, rows_of

REAL = "oddbench__ALLPatientData"


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "data"))
    return write_tables(tmp_path / "data")


def sorted_rows(rows: np.ndarray) -> list[float]:
    """No two made-up rows have the same first cell."""
    return sorted(rows[:, 0].tolist())


def test_tables_are_listed_in_the_order_of_the_manifest_with_their_groups(root):
    listed = one_class_tables()
    assert [table.name for table in listed] == list(NAMES)
    assert [table.group for table in listed] == list(GROUPS)
    assert {table.collection for table in listed} == {"oddbench", "ovrbench"}
    assert one_class_table(NAMES[2]) == listed[2]


def test_a_name_that_no_table_has_and_a_case_that_is_none_are_errors(root):
    with pytest.raises(ConfigError, match="no table is called 'oddbench__A'"):
        one_class_table("oddbench__A")
    with pytest.raises(ConfigError, match="no case is called 'dirty'"):
        rows_of(one_class_tables()[0], "dirty")


def test_without_a_manifest_the_error_says_where_tables_come_from(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    with pytest.raises(
        DataError, match=r"tables/manifest\.csv is not there.*SLAD_DATA.*tables\.md"
    ):
        one_class_tables()


def test_a_file_that_is_missing_or_changed_is_an_error(root):
    first, second, *_ = one_class_tables()
    first.path.write_bytes(second.path.read_bytes())
    with pytest.raises(DataError, match="not the file that its manifest means"):
        rows_of(first, "clean")
    second.path.unlink()
    with pytest.raises(DataError, match="is not there"):
        rows_of(second, "own")


def test_clean_rows_are_those_of_the_file(root):
    table = one_class_tables()[0]
    rows = rows_of(table, "clean")
    with np.load(table.path) as stored:
        np.testing.assert_array_equal(rows.train, stored["train"])
        np.testing.assert_array_equal(rows.judged, stored["test"])
        np.testing.assert_array_equal(rows.labels, stored["y"])
    assert not rows.own


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", CASES)
def test_labels_are_those_of_the_rows_and_no_row_comes_twice(root, case, name):
    rows = rows_of(one_class_table(name), case)
    np.testing.assert_array_equal(rows.labels, rows.judged[:, 0] >= 9)
    assert len(set(sorted_rows(rows.judged))) == len(rows.judged)
    assert len(set(sorted_rows(rows.train))) == len(rows.train)


@pytest.mark.parametrize("name", NAMES)
def test_an_own_table_judges_what_it_learns_from_with_anomalies_at_the_rate(root, name):
    rows = rows_of(one_class_table(name), "own")
    assert rows.own
    np.testing.assert_array_equal(rows.train, rows.judged)
    count = rows.labels.sum()
    # The rate is met to the nearest whole anomaly.
    normal = len(rows.labels) - count
    assert count in {round(normal * rate / (1 - rate)) for rate in one_class.OWN_RATES}
    assert {0, 1} == {int(cell) for cell in rows.judged[rows.labels == 0, 0]}  # of both kinds


def test_an_own_table_has_fewer_normal_rows_where_anomalies_are_too_few(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    monkeypatch.setattr(one_class, "OWN_RATES", (0.1,))
    write_tables(tmp_path, odd=5)
    rows = rows_of(one_class_tables()[0], "own")
    assert rows.labels.sum() == 5
    assert len(rows.labels) == 50


def test_an_own_table_has_at_most_so_many_normal_rows(root, monkeypatch):
    monkeypatch.setattr(one_class, "MOST_OWN", 60)
    assert (rows_of(one_class_tables()[0], "own").labels == 0).sum() == 60


@pytest.mark.parametrize("name", NAMES)
def test_a_mixed_table_learns_from_few_anomalies_and_judges_the_others(root, name):
    clean, mixed = (rows_of(one_class_table(name), case) for case in ("clean", "mixed"))
    added = mixed.train[:, 0] >= 9
    normal = (~added).sum()
    assert added.sum() in {round(normal * rate / (1 - rate)) for rate in one_class.MIXED_RATES}
    together = np.concatenate([mixed.train[added], mixed.judged])
    assert sorted_rows(together) == sorted_rows(clean.judged)
    assert sorted_rows(mixed.train[~added]) == sorted_rows(clean.train)


def test_half_of_the_anomalies_of_a_mixed_table_are_judged(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    monkeypatch.setattr(one_class, "MIXED_RATES", (0.05,))
    write_tables(tmp_path, odd=7)
    rows = rows_of(one_class_tables()[0], "mixed")
    assert rows.labels.sum() == 4


def test_anomalies_and_normal_rows_come_in_a_random_order(root):
    for case in CASES:
        labels = rows_of(one_class_tables()[0], case).labels
        assert np.abs(np.diff(labels)).sum() > 1


@pytest.mark.parametrize("case", ["own", "mixed"])
def test_a_draw_depends_on_the_name_of_the_table_alone(root, case):
    once, again = (rows_of(one_class_tables()[0], case) for _ in range(2))
    np.testing.assert_array_equal(once.judged, again.judged)
    np.testing.assert_array_equal(once.train, again.train)


@pytest.mark.data
def test_the_draws_of_real_tables_are_those_of_the_records(data_root):
    """Other draws would make every record of these tables wrong."""
    if not (data_root / "tables").is_dir():
        pytest.skip("the one-class tables are not at hand")
    drawn = {case: digest(rows_of(one_class_table(REAL), case)) for case in ("own", "mixed")}
    assert drawn == {"own": "99fa6e3e96f0", "mixed": "de83e477c1a2"}


def digest(rows: one_class.Rows) -> str:
    return hashlib.sha256(rows.train.tobytes() + rows.judged.tobytes()).hexdigest()[:12]
