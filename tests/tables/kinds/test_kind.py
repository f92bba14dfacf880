"""What a kind of column does unless it says otherwise."""

from __future__ import annotations

from small_tables import column

from slad.tables.kinds import ColumnFacts
from slad.tables.kinds.text import TextKind


def test_a_kind_notes_and_draws_nothing_and_its_columns_may_be_ids() -> None:
    cells = column(["a", "b"])
    assert TextKind().note(ColumnFacts(cells)) == ""
    assert TextKind().picture(cells) is None
    assert TextKind.may_be_id
    assert not TextKind.is_numeric
