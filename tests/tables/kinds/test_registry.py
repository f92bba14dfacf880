"""The kind that a column has, of all that recognise it."""

from __future__ import annotations

from datetime import date, time, timedelta

import pyarrow as pa
import pytest
from small_tables import column

from slad.tables.kinds import KINDS, ColumnFacts, usual_from_state, usual_values
from slad.tables.kinds.registry import recognised


def test_every_kind_stands_under_its_name() -> None:
    assert all(kind.name == name for name, kind in KINDS.items())


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (column(["a", "b"] * 20), "category"),
        (column([f"{at} words" for at in range(40)]), "text"),
        (column([1.5, 2]), "number"),
        (column([timedelta(1)]), "number"),
        (column([True]), "boolean"),
        (column([date(2025, 1, 1)]), "time"),
        (column([time(1)]), "time"),
        (column([b"x"]), None),
        (column([[1]]), None),
    ],
)
def test_the_most_special_kind_that_recognises_a_column_has_it(
    cells: pa.ChunkedArray, kind: str | None
) -> None:
    found = recognised("x", ColumnFacts(cells))
    assert (found and found.name) == kind


def test_a_kind_that_is_added_comes_before_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine(type(KINDS["text"])):
        name = "mine"

    monkeypatch.setitem(KINDS, "mine", Mine())
    assert recognised("x", ColumnFacts(column(["a", "b"]))).name == "mine"
    assert recognised("x", ColumnFacts(column([1]))).name == "number"


@pytest.mark.parametrize("kind", KINDS)
def test_usual_values_come_back_as_those_of_their_kind(kind: str) -> None:
    cells = {"number": [1, 2], "boolean": [True, False], "time": [date(2025, 1, 1)]}
    usual = usual_values(column(cells.get(kind, ["a", "b"])), kind)
    again = usual_from_state(usual.state())
    assert again == usual
    assert type(again) is KINDS[kind].usual_type
