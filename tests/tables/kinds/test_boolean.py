"""True and false as numbers, shares and bars."""

from __future__ import annotations

import pyarrow as pa
from small_tables import column, encoded

from slad.tables.kinds import KINDS, ColumnFacts

BOOLEAN = KINDS["boolean"]


def test_only_a_column_of_booleans_is_recognised() -> None:
    given = [[True, None], [0, 1], ["true", "false"], [1.0]]
    found = [BOOLEAN.recognises("x", ColumnFacts(column(values))) for values in given]
    assert found == [True, False, False, False]


def test_true_is_1_false_is_0_and_an_unknown_gap_is_beyond_both() -> None:
    train, later = encoded([True, False, True], [True, False, None])
    assert train.tolist() == [[1.0], [0.0], [1.0]]
    assert later.tolist() == [[1.0], [0.0], [2.0]]


def test_bars_count_the_words() -> None:
    picture = BOOLEAN.picture(column([False, True, None, False]))
    assert picture == {"levels": ["false", "true"], "counts": [2, 1]}
    assert BOOLEAN.picture(column([None], pa.bool_())) is None
