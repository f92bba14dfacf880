"""The reasons of a row."""

from __future__ import annotations

import pytest

from slad.core.errors import DataError
from slad.model.row_explanation import NO_REASON, ColumnReason, RowExplanation


def reason(sentence: str, **cells: tuple[str, ...]) -> ColumnReason:
    given = {"values": ("9",), "usual": ("1 to 3",), "nearest": ("2",)} | cells
    return ColumnReason(columns=("price",), contribution=1.5, share=0.5, sentence=sentence, **given)


def test_a_row_is_explained_by_its_first_reason() -> None:
    row = RowExplanation(0, [reason("price is 9"), reason("price is odd")], [], [])
    assert row.sentence == "price is 9"


def test_a_row_without_a_reason_says_so() -> None:
    assert RowExplanation(0, [], [], []).sentence == NO_REASON


@pytest.mark.parametrize("name", ["values", "usual", "nearest"])
@pytest.mark.parametrize("cells", [(), ("1", "2")])
def test_a_reason_has_one_cell_for_every_column(name, cells) -> None:
    with pytest.raises(DataError, match=f"has 1 columns but {len(cells)} {name}"):
        reason("price is 9", **{name: cells})
