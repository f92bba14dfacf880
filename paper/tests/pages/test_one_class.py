"""The page on the one-class tables, from made-up records."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from slad.core.errors import DataError
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Picture, as_markdown, as_text
from slad_paper.pages.one_class import CROSS_VALIDATED, report
from slad_paper.pages.one_class_cases import LISTING, in_cases
from slad_paper.pages.standings import TITLES

GROUPS = [*("a" * 3), *"bcdefghi", *("z" * 4)]
COLLECTIONS = ["oddbench"] * 11 + ["ovrbench"] * 4
COUNT = len(GROUPS)


@pytest.fixture
def folder(tmp_path):
    with (tmp_path / LISTING).open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["name", "collection", "group", "features"])
        names = [f"t{at}" for at in range(COUNT)]
        lines.writerows(zip(names, COLLECTIONS, GROUPS, [2] * COUNT, strict=True))
    return tmp_path


def record(folder, label, case="clean", level=0.5, **result):
    values = [round(level + at / 100, 3) for at in range(COUNT)]
    found = dict.fromkeys(TITLES, values)
    found |= {"tables": COUNT, "seconds": [1.0] * COUNT, "failures": {}} | result
    settings = {"detector": label, "case": case}
    path = folder / f"{label} on {case}.json"
    return CaseRecord(path, "tables", path.stem, settings, found, {})


def test_a_group_counts_once_as_the_mean_of_its_tables(folder):
    values = [1.0, 1.0, 0.4, *[0.5] * 8, *[0.0, 0.2, 0.4, 0.6]]
    [found] = in_cases([record(folder, "knn-1", auc_roc=values)])
    by_group = found.over_groups("auc_roc")[:, 0]
    assert by_group == pytest.approx([0.8, *[0.5] * 8, 0.3])
    assert found.in_collection("auc_roc", "ovrbench") == pytest.approx(0.3)
    text = as_text(report([record(folder, "knn-1", auc_roc=values)]))
    assert f"{np.mean(by_group):.3f}" in text


def test_every_case_has_its_means_best_first_and_its_own_tables(folder):
    records = [
        record(folder, name, case, level)
        for case in ("own", "clean")
        for name, level in (("ecod", 0.3), ("knn-5", 0.5), ("neighbor-scale", 0.4))
    ]
    page = report(records)
    text = as_text(page)
    assert text.index('Case "clean"') < text.index('Case "own"')
    assert 'Case "mixed"' not in text
    order = [text.index(name) for name in ("knn-5", "neighbor-scale", "ecod")]
    assert order == sorted(order)
    pictures = [part.name for part in page.details if isinstance(part, Picture)]
    assert pictures[0] == "ranks-clean-auc-roc"
    assert len(pictures) == 2 * len(TITLES)


def test_others_are_tested_against_one_detector_and_corrected_for_these_tests(folder):
    records = [
        record(folder, name, level=level)
        for name, level in (("ecod", 0.3), ("knn-5", 0.5), (CROSS_VALIDATED, 0.4))
    ]
    markdown = as_markdown(report(records))
    assert f"groups won : lost against {CROSS_VALIDATED}" in markdown
    [line] = [each for each in markdown.splitlines() if each.startswith("| ecod | 3.00")][:1]
    assert "| 0 : 10 |" in line
    assert line.endswith("| **0.004** |")  # 2 / 2**10, twice
    [line] = [each for each in markdown.splitlines() if each.startswith("| knn-5 | 1.00")][:1]
    assert "| 10 : 0 |" in line


def test_a_table_on_which_a_detector_failed_is_left_out_and_told(folder):
    some = [None, *[0.5] * (COUNT - 1)]
    why = dict.fromkeys(TITLES, some) | {"failures": {"t0": "DataError: it is odd"}}
    page = as_text(report([record(folder, "ecod", **why), record(folder, "knn-5")]), 300)
    assert f'"clean": {COUNT - 1} tables of 10 groups have a result of every detector' in page
    assert "1 tables are left out" in page
    assert 'ecod failed on 1 tables in "clean", as on t0: DataError: it is odd' in page


def test_published_figures_stand_beside_ours_of_the_same_method(folder):
    page = as_markdown(report([record(folder, "dte-np"), record(folder, "knn-1")]))
    [line] = [each for each in page.splitlines() if "dte-np, DTE-NP" in each]
    mine = np.mean([0.5 + at / 100 for at in range(11)])
    assert line == f"| dte-np, DTE-NP | 0.770 | 0.436 | **{mine:.3f}** | **{mine:.3f}** |"
    assert "| TaskBridge | **0.802** | **0.504** | – | – |" in page
    assert "3,000 training" in page
    assert "published" not in as_markdown(report([record(folder, "knn-1", "own")]))


def test_a_detector_that_learned_from_these_tables_is_told_of(folder):
    page = as_text(report([record(folder, "learned-signals"), record(folder, "knn-1")]), 300)
    assert "learned-signals: learned its weights on these very tables" in page


def test_a_detector_without_a_record_in_one_of_the_cases_is_named(folder):
    records = [record(folder, "knn-1", case) for case in ("clean", "own")]
    page = as_text(report([*records, record(folder, "lof")]), 300)
    assert 'without a record in "own": lof' in page


def test_records_of_other_tables_than_those_beside_them_are_an_error(folder):
    with pytest.raises(DataError, match=r"has 3 tables and tables\.csv beside it 15"):
        report([record(folder, "knn-1", tables=3)])
    (folder / LISTING).unlink()
    with pytest.raises(DataError, match=r"tables\.csv is not there"):
        report([record(folder, "knn-1")])


def test_the_files_have_means_and_all_pairs_of_every_case(folder):
    records = [
        record(folder, name, case) for case in ("clean", "own") for name in ("ecod", "lof", "pca")
    ]
    data = report(records).data
    assert len(data["means"]) == 2 * 3 * len(TITLES)
    assert len(data["pairs"]) == 2 * 3 * len(TITLES)
    assert data["means"][0]["oddbench"] == pytest.approx(0.55)
