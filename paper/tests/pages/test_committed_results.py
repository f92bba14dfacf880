"""The tables that are printed in the docs are those of the records that are committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from slad_paper.pages import EXPERIMENTS, build
from slad_paper.pages.cases import holds_cases
from slad_paper.runner.packing import recorded
from slad_paper.studies import rivals

HERE = Path(__file__).parents[2]
PRINTED = HERE / "docs" / "results"

pytestmark = pytest.mark.skipif(
    not (HERE / "results").is_dir(), reason="the records are in the repository only"
)


RECORDED = [name for name in EXPERIMENTS if (HERE / "results" / name).is_dir()]


def test_the_paper_s_tables_have_records():
    assert {"effectiveness", "adbench"} <= set(RECORDED)


@pytest.mark.parametrize("experiment", RECORDED)
def test_the_tables_in_the_docs_are_those_of_the_records(experiment, tmp_path):
    build(HERE / "results" / experiment, tmp_path, pictures=False)
    made = {path.name for path in tmp_path.iterdir()}
    compared = [path for path in PRINTED.iterdir() if path.name in made]
    assert f"{experiment}.md" in {path.name for path in compared}
    for path in compared:
        mine = (tmp_path / path.name).read_text()
        printed = path.read_text()
        if path.suffix == ".md":  # pictures were not made here
            mine, printed = (
                [line for line in text.splitlines() if line and not line.startswith("![")]
                for text in (mine, printed)
            )
        assert mine == printed, f"slad report results/{experiment} --out docs/results makes it anew"


@pytest.mark.parametrize("experiment", RECORDED)
def test_every_committed_run_says_what_made_it(experiment):
    folder = HERE / "results" / experiment
    study = holds_cases(folder)
    singles = {path: json.loads(path.read_text()) for path in folder.glob("*.json")}
    records = singles if study else recorded(folder)
    assert records
    for path, record in records.items():
        assert record["experiment"] == experiment
        about = record["environment"]
        assert about["command"].startswith(("slad reproduce", rivals.COMMAND))
        assert len(about["commit"]) == 40  # of a committed state, with no change of it
        assert about["versions"]["torch"]
        if not study:
            assert record["detector"] == path.parent.name
            assert record["status"] == "ok" or record["reason"]


def test_no_committed_record_names_a_place_on_a_machine():
    for path in (HERE / "results").rglob("*.json*"):
        said = path.read_text()
        assert not any(place in said for place in ("/root", "/home", "/tmp/")), path
