"""The pages in the docs are those of the committed records."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from slad_paper.pages import EXPERIMENTS, RUNS, reproduction
from slad_paper.pages.__main__ import reports_of
from slad_paper.pages.cases import holds_cases
from slad_paper.pages.document import as_markdown
from slad_paper.pages.write import write
from slad_paper.runner.packing import recorded

HERE = Path(__file__).parents[2]
RESULTS, PRINTED = HERE / "results", HERE / "docs" / "results"

pytestmark = pytest.mark.skipif(
    not RESULTS.is_dir(), reason="the records are in the repository only"
)

REPORTS = {name: cache(made) for name, made in reports_of(RESULTS).items()}
FORMER = "python -m slad.experiments.rivals"
RECORDED = [name for name in EXPERIMENTS if (RESULTS / name).is_dir()]


def test_every_experiment_has_records():
    assert list(EXPERIMENTS) == RECORDED


@pytest.mark.parametrize("name", REPORTS)
def test_a_page_is_that_of_its_records(name, tmp_path):
    report = REPORTS[name]()
    data = {file: rows for file, rows in report.data.items() if file != RUNS}
    drawn = {picture.name for picture in report.pictures()}
    assert as_markdown(report, drawn) == (PRINTED / f"{name}.md").read_text(), (
        f"python -m slad_paper.pages {name} writes it anew"
    )
    for path in write(replace(report, data=data), tmp_path, pictures=False)[1:]:
        assert path.read_text() == (PRINTED / path.name).read_text(), path.name


def test_there_is_no_other_file_beside_the_pages():
    made = {f"{name}.md" for name in REPORTS}
    for name, report_of in REPORTS.items():
        report = report_of()
        data = [file for file, rows in report.data.items() if file != RUNS and rows]
        made |= {f"{name}-{file}.csv" for file in data}
        made |= {f"{name}-{picture.name}.svg" for picture in report.pictures()}
    assert {path.name for path in PRINTED.iterdir()} == made


def test_the_page_of_all_claims_is_that_of_the_records():
    printed = (HERE / "docs" / "reproduction.md").read_text()
    assert reproduction.page(RESULTS) == printed, (
        "python -m slad_paper.pages reproduction writes it anew"
    )


@pytest.mark.parametrize("experiment", RECORDED)
def test_every_committed_run_says_what_made_it(experiment):
    folder = RESULTS / experiment
    study = holds_cases(folder)
    singles = {path: json.loads(path.read_text()) for path in folder.glob("*.json")}
    records = singles if study else recorded(folder)
    assert records
    for path, record in records.items():
        assert record["experiment"] == experiment
        about = record["environment"]
        assert about["command"].startswith(("slad reproduce", "slad learn-signals", FORMER))
        assert len(about["commit"]) == 40  # of a committed state, with no change of it
        assert about["versions"]["torch"]
        if not study:
            assert record["detector"] == path.parent.name
            assert record["status"] == "ok" or record["reason"]


def test_no_committed_record_names_a_place_on_a_machine():
    for path in (RESULTS).rglob("*.json*"):
        said = path.read_text()
        assert not any(place in said for place in ("/root", "/home", "/tmp/")), path
