"""docs/accuracy.md: its tables are those of the records."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from slad.core.errors import DataError
from slad_paper.pages.accuracy_page import SHOWN, TABLES, table
from slad_paper.pages.blocks import filled
from slad_paper.pages.one_class import SAW_THEM

HERE = Path(__file__).parents[2]
PAGE = HERE.parent / "docs" / "accuracy.md"
committed = pytest.mark.skipif(
    not (HERE / "results").is_dir(), reason="the records are in the repository only"
)


def test_an_unknown_table_is_an_error(tmp_path):
    with pytest.raises(DataError, match="no table 'nothing'"):
        table(tmp_path, "nothing")


@committed
def test_weights_that_saw_the_tables_are_not_compared_on_them():
    lines = table(HERE / "results", "own")
    assert len(lines) <= SHOWN + 2
    assert not [line for line in lines if line.startswith(f"| `{SAW_THEM}`")]


@committed
def test_the_tables_of_the_page_are_those_of_the_records():
    page = PAGE.read_text("utf-8")
    for name in TABLES:
        assert f"<!-- table: {name} -->" in page
    made = filled(page, partial(table, HERE / "results"))
    assert made == page, "python -m slad_paper.pages accuracy writes it anew"
