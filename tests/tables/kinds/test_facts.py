"""Facts of a column in memory."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pyarrow as pa
import pytest
from small_tables import column

from slad.tables.kinds import ColumnFacts
from slad.tables.kinds.facts import SAMPLE, filled_sample, has_words, is_key_name


def test_missing_cells_are_counted_apart() -> None:
    facts = ColumnFacts(column(["a", None, "b", "a"]))
    assert (facts.filled, facts.missing, facts.different) == (3, 1, 2)
    empty = ColumnFacts(column([None, None], pa.string()))
    assert (empty.filled, empty.missing, empty.different) == (0, 2, 0)


@pytest.mark.parametrize(
    ("cells", "different"),
    [
        (column([1, 2, 3, 3]), 3),
        (column(["a", "b", "c"], pa.large_string()), 3),
        (column([1.5, 2.5, 3.5]), 2),
        (column([1.5, 1.5, None]), 1),
        (column([0.0, -0.0]), 1),
        (column([timedelta(1), timedelta(2), timedelta(3)]), 2),
        (column([timedelta(1), None]), 1),
        (column([True, False]), 2),
        (column([-(2**62), 2**62], pa.timestamp("s")), 2),
        (column([2**62, 2**62], pa.timestamp("s")), 1),
    ],
)
def test_texts_and_whole_numbers_are_counted_and_others_only_told_apart(
    cells: pa.ChunkedArray, different: int
) -> None:
    assert ColumnFacts(cells).different == different


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([0, 1, 2], (0, 2)),
        ([3, 1, 2], (1, 3)),
        ([5, 6, 7], (5, 7)),
        ([-1, 0, 1], (-1, 1)),
        ([6, 5, 7], None),
        ([0, 1, 3], None),
        ([0, 1, 1, 2], None),
        ([2, 3, 4, 4], None),
        ([2**63 - 2, 2**63 - 1], (2**63 - 2, 2**63 - 1)),
        ([-(2**63), 2**63 - 1], None),
    ],
)
def test_numbers_count_up_without_gaps_from_0_or_1_or_in_order(
    values: list[int], ends: tuple[int, int] | None
) -> None:
    assert ColumnFacts(column(values)).counts_up() == ends


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["two words", "and three words", None], True),
        (["two words", "one"], False),
        (["two words", "a\tb", "one"], True),
        ([" padded ", "one "], False),
    ],
)
def test_a_column_has_words_where_most_texts_have_two(texts: list[Any], words: bool) -> None:
    assert has_words(ColumnFacts(column(texts))) == words


def test_the_sample_is_of_the_first_filled_cells() -> None:
    cells = column([None, *range(SAMPLE + 5)])
    assert filled_sample(ColumnFacts(cells)).to_pylist() == list(range(SAMPLE))


@pytest.mark.parametrize(
    ("name", "is_key"),
    [
        ("key", True),
        ("Order ID", True),
        ("order-uuid", True),
        ("customerKey", True),
        ("row", True),
        ("arrow", False),
        ("monkey", False),
        ("VALID", False),
        ("id_card", False),
        ("unnamed: 12", True),
        ("unnamed: x", False),
    ],
)
def test_a_key_is_known_by_the_last_word_of_its_name(name: str, is_key: bool) -> None:
    assert is_key_name(name) == is_key
