"""The kind of a column, or the reason to leave it out."""

from __future__ import annotations

import pyarrow as pa
import pytest
from small_tables import column

from slad.core.errors import ConfigError
from slad.tables import plan_columns
from slad.tables.kinds import Choice, ColumnFacts, choose


def choice(
    values: list | pa.ChunkedArray, name: str = "x", keep: bool = False, category: bool = False
) -> Choice:
    cells = values if isinstance(values, pa.ChunkedArray) else column(values)
    return choose(name, ColumnFacts(cells), keep=keep, category=category)


def test_few_rows_are_no_ids_unless_named_so() -> None:
    frame = pa.table({"word": ["a", "b", "c"], "n": [1, 2, 3], "id": [7, 9, 8]})
    assert [each.kind for each in plan_columns(frame)] == ["category", "number", "id"]


def test_a_constant_is_kept_whole_and_shown_short() -> None:
    found = choice(["x" * 50] * 3)
    assert (found.kind, found.constant) == ("constant", "x" * 50)
    assert found.note == f"left out: always {'x' * 39 + '…'!r}"
    assert choice([-0.0, 0.0]) == Choice("constant", "left out: always '0'", "0")


def test_one_value_and_gaps_are_no_constant() -> None:
    assert choice(["x", None]).kind == "category"
    assert choice([1.0, None]).kind == "number"


def test_what_is_asked_for_is_used_and_the_note_says_what_it_else_were() -> None:
    assert choice(list(range(30)), keep=True) == Choice(
        "number", "kept, as asked; else left out: counts from 0 to 29"
    )
    assert choice(list(range(30)), category=True) == Choice("category", "a category, as asked")
    assert choice([7, 7], keep=True, category=True).kind == "category"
    assert choice([7, 7], category=True).kind == "constant"
    assert choice([1.5, 2.5], keep=True) == choice([1.5, 2.5]) == Choice("number")


@pytest.mark.parametrize(
    ("cells", "kind", "reason"),
    [
        (column([None], pa.string()), "empty", "no values"),
        (column([None]), "empty", "no values"),
        (column([[1], [2]]), "dropped", "list<item: int64>"),
        (column([None], pa.binary()), "dropped", "binary"),
    ],
)
def test_a_column_without_use_is_left_out_and_cannot_be_kept(
    cells: pa.ChunkedArray, kind: str, reason: str
) -> None:
    assert choice(cells).kind == kind
    assert reason in choice(cells).note
    with pytest.raises(ConfigError, match=f"column 'x' cannot be kept: .*{reason}"):
        choice(cells, keep=True)


def test_nearly_all_different_is_an_id_from_twenty_rows_on() -> None:
    codes = [f"k{at}" for at in range(100)]
    assert choice(codes).note == "left out: 100 different values, an id"
    assert choice(codes[:95] + ["k0"] * 5).kind == "id"
    assert choice(codes[:94] + ["k0"] * 6).kind == "text"
    assert choice(codes[:19]).kind == "category"
    assert choice([f"{code} and words" for code in codes]).kind == "text"


def test_different_whole_numbers_are_an_id_where_they_count_or_are_named_so() -> None:
    squares = [at * at for at in range(30)]
    assert choice(squares).kind == "number"
    assert "named like an id" in choice(squares, "order_id").note
    assert choice(list(range(5, 35))).note == "left out: counts from 5 to 34"
    assert choice([at + 0.5 for at in range(30)], "order_id").kind == "number"
