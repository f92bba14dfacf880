from __future__ import annotations

import argparse

from made_up_records import main_table_runs, write
from slad_paper.cli.reproduce import add_parser
from slad_paper.pages import reproduction


def test_the_page_counts_verdicts_and_names_what_has_no_records(tmp_path):
    write(tmp_path, *main_table_runs(0.99))
    text = reproduction.page(tmp_path)
    assert "| effectiveness | main table | 4 | – | 1 |" in text
    assert "## [effectiveness](results/effectiveness.md): main table" in text
    assert "no records yet: slad reproduce variety" in text


def test_every_item_of_the_page_is_an_experiment_that_can_be_run():
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    for name in reproduction.ITEMS:
        assert parser.parse_args(["reproduce", name, "--quick"]).quick
