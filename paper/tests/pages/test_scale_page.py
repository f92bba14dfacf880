"""docs/scale.md: its tables are those of the records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from slad.core.errors import DataError
from slad_paper.pages.blocks import filled
from slad_paper.pages.scale_page import PLANS, TABLES, table

HERE = Path(__file__).parents[2]
PAGE = HERE.parent / "docs" / "scale.md"
committed = pytest.mark.skipif(
    not (HERE / "results").is_dir(), reason="the records are in the repository only"
)


def one_way(rate: float) -> dict[str, object]:
    return {
        "rows_per_second": {"model": rate, "pass_through": 4 * rate},
        "own_share": 0.25,
        "start_seconds": 7.4,
        "peak_mb": 1234.5,
    }


@pytest.fixture
def records(tmp_path) -> Path:
    result = {"ways": {"memory": one_way(1e5)}, "core": {"score": 5e4, "convert": 5e5}}
    (tmp_path / "engines-cpu.json").write_text(json.dumps({"result": result}))
    (tmp_path / "plan.json").write_text(json.dumps({"table": ["| workers |", "|---|"]}))
    return tmp_path


def test_a_table_is_made_anew_and_words_stay(records):
    page = "Words.\n\n<!-- table: engines -->\nold\n<!-- end -->\n\nMore words.\n"
    made = filled(page, lambda name: table(name, records))
    assert "| in memory | 100,000 | 400,000 | 25% | 7 s | 1,234 MB |" in made
    assert "old" not in made
    assert made.startswith("Words.\n\n<!-- table: engines -->\n| way |")
    assert made.endswith("<!-- end -->\n\nMore words.\n")
    assert filled(made, lambda name: table(name, records)) == made


def test_a_core_s_two_rates_make_one(records):
    assert "| together | 45,455 |" in table("core", records)


def test_a_table_without_a_record_says_so_and_an_unknown_one_is_an_error(records):
    assert table("big", records) == ["(not measured yet: there is no record engines-big-cpu.json)"]
    assert table("plan", records) == ["| workers |", "|---|"]
    with pytest.raises(DataError, match="no table 'nothing'"):
        table("nothing", records)


@committed
def test_the_tables_of_the_page_are_those_of_the_records():
    page = PAGE.read_text("utf-8")
    made = filled(page, lambda name: table(name, HERE / "results" / "speed"))
    assert made == page, "python -m slad_paper.pages scale writes it anew"
    for name in (*TABLES, *PLANS):
        assert f"<!-- table: {name} -->" in page
