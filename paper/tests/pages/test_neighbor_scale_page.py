"""docs/neighbor-scale.md: its tables are those of the records."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from slad.core.errors import DataError
from slad_paper.pages.blocks import filled
from slad_paper.pages.neighbor_scale_page import TABLES, table

HERE = Path(__file__).parents[2]
PAGE = HERE / "docs" / "neighbor-scale.md"
committed = pytest.mark.skipif(
    not (HERE / "results").is_dir(), reason="the records are in the repository only"
)


def test_the_log_lists_every_variant_under_its_stage(tmp_path):
    (tmp_path / "search").mkdir()
    variant = {"name": "a", "auc_roc": 0.5, "auc_pr": 0.25}
    stages = [{"what": "first", "tasks": 7, "variants": [variant, variant | {"name": "b"}]}]
    record = {"result": {"stages": stages}}
    (tmp_path / "search" / "variants.json").write_text(json.dumps(record))
    assert table(tmp_path, "log") == [
        "| variant | AUC-ROC | AUC-PR | tasks |",
        "|---|---:|---:|---:|",
        "| **first** |  |  | 7 |",
        "| a | 0.5000 | 0.2500 |  |",
        "| b | 0.5000 | 0.2500 |  |",
    ]


def test_an_unknown_table_is_an_error(tmp_path):
    with pytest.raises(DataError, match="no table 'nothing'"):
        table(tmp_path, "nothing")


@committed
def test_the_tables_of_the_page_are_those_of_the_records():
    page = PAGE.read_text("utf-8")
    for name in TABLES:
        assert f"<!-- table: {name} -->" in page
    made = filled(page, partial(table, HERE / "results"))
    assert made == page, "python -m slad_paper.pages neighbor-scale writes it anew"
