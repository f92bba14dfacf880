from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up_records import record, write
from slad.experiments import printed
from slad.experiments.printed import Printed
from slad.reports import effectiveness
from slad.reports.document import Notes, Report, Table, as_markdown, as_text
from slad.reports.records import read
from slad.reports.write import write as write_report


def report(tmp_path, *runs) -> Report:
    return effectiveness.report(read(write(tmp_path, *runs)))


def cells(made: Report, table: int = 0) -> dict[str, dict[str, str]]:
    """Row -> column -> text; a best cell ends with a star."""
    found = [part for part in made.brief if isinstance(part, Table)][table]
    return {
        row[0].text: {
            name: cell.text + "*" * cell.best for name, cell in zip(found.header, row, strict=True)
        }
        for row in found.rows
    }


def notes(made: Report) -> str:
    return "\n".join(line for part in made.brief if isinstance(part, Notes) for line in part.lines)


def test_the_mark_says_how_far_is_far():
    number = Printed(0.9, 0.01)
    assert effectiveness.beyond(0.9, number) == ""
    assert effectiveness.beyond(0.9204, number) == ""
    assert effectiveness.beyond(0.9206, number) == "↑"
    assert effectiveness.beyond(0.8796, number) == ""
    assert effectiveness.beyond(0.8794, number) == "↓"


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.3))
def test_only_what_is_outside_two_deviations_and_the_rounding_is_marked(ours, mean, std):
    marked = effectiveness.beyond(ours, Printed(mean, std))
    assert bool(marked) == (abs(ours - mean) > 2 * std + 0.0005)
    assert not marked or (marked == "↑") == (ours > mean)


def test_the_table_has_the_ten_rows_and_each_printed_method_before_ours(tmp_path):
    names = ("knn-1", "slad", "iforest", "slad-released", "slad[epochs=20]", "icl")
    made = report(tmp_path, *(record(name) for name in names))
    table = cells(made)
    assert list(table)[:10] == [row.name for row in printed.rows()]
    assert list(table["Thyroid"]) == [
        "dataset",
        "SLAD printed",
        "slad-released",
        "slad",
        "slad[epochs=20]",
        "ICL printed",
        "icl",
        "iForest printed",
        "iforest",
        "knn-1",
    ]


def test_a_cell_has_mean_deviation_mark_and_the_best_of_the_row_stands_out(tmp_path):
    runs = [record("slad-released", auc_roc=v, model=m) for m, v in ((1, 0.99), (2, 0.996))]
    runs += [record("slad-paper", auc_roc=v, model=m) for m, v in ((1, 0.994), (2, 0.997))]
    made = report(tmp_path, *runs, record("knn-1", auc_roc=0.8, model=None))
    row = cells(made)["Thyroid"]
    assert row["SLAD printed"] == "0.995 ± 0.001"
    assert row["slad-released"] == "0.993 ± 0.003"
    assert row["slad-paper"] == "0.996 ± 0.002*"
    assert row["knn-1"] == "0.800"
    assert cells(made, table=1)["Thyroid"]["slad-released"] == "0.500 ± 0.000 ↓*"


def test_what_is_not_there_is_not_a_number(tmp_path):
    made = report(
        tmp_path,
        record("slad"),
        record("slad", "thrombin", reason="MemoryError: 12 GiB"),
        record("icl", "thrombin"),
    )
    table = cells(made)
    assert table["Thrombin"]["slad"] == "failed: MemoryError"
    assert table["Thrombin"]["ICL printed"] == "OOM"
    assert table["Thyroid"]["icl"] == "no run"
    assert table["Bank"]["slad"] == "no run"
    assert table["Amazon (tab)"]["slad"] == "not available"
    assert "failed: slad on thrombin, 1 of 1 runs: MemoryError: 12 GiB" in notes(made)


def test_amazon_is_shown_once_it_has_records(tmp_path):
    made = report(tmp_path, record("slad", "amazon", auc_roc=0.6), record("lof", "yelp"))
    assert cells(made)["Amazon (tab)"] == {
        "dataset": "Amazon (tab)",
        "SLAD printed": "0.605 ± 0.007",
        "slad": "0.600*",
        "lof": "no run",
    }


def test_the_average_is_over_the_rows_that_all_detectors_have(tmp_path):
    runs = [record("slad", name, auc_roc=v) for name, v in (("thyroid", 0.9), ("bank", 0.7))]
    runs += [record("lof", name, auc_roc=v) for name, v in (("thyroid", 0.8), ("waveform", 0.1))]
    runs += [record("slad", "waveform", reason="Oops"), record("broken", "bank", reason="Oops")]
    made = report(tmp_path, *runs)
    average = cells(made)["average of 1"]
    assert average["slad"] == "0.900*"
    assert average["lof"] == "0.800"
    assert average["SLAD printed"] == "0.995"
    assert average["broken"] == "–"
    assert "over the rows all have: Thyroid" in notes(made)


def test_the_average_is_a_plain_mean_of_the_rows(tmp_path):
    values = {"thyroid": 0.9, "bank": 0.71, "waveform": 0.55}
    made = report(tmp_path, *(record("slad", name, auc_roc=v) for name, v in values.items()))
    shown = cells(made)["average of 3"]
    assert shown["slad"] == f"{np.mean(list(values.values())):.3f}*"
    assert shown["SLAD printed"] == f"{np.mean([0.995, 0.730, 0.812]):.3f}"


def test_without_any_number_there_is_no_average_and_no_picture(tmp_path):
    made = report(tmp_path, record(reason="Oops"))
    assert not [row for row in cells(made) if row.startswith("average")]
    assert made.pictures() == []


def test_a_cut_off_dataset_is_not_to_be_compared(tmp_path):
    made = report(tmp_path, record(max_rows=1000))
    assert "at most 1,000 rows" in notes(made)
    assert "not to be compared" in notes(made)
    assert "at most" not in notes(report(tmp_path / "whole", record()))


def test_other_datasets_are_named_and_not_shown(tmp_path):
    made = report(tmp_path, record(), record(dataset="wine"))
    assert "not shown: wine" in notes(made)


def test_text_and_markdown_show_the_same_numbers_and_the_legend(tmp_path):
    made = report(tmp_path, record("slad-released", auc_roc=0.5), record("lof"))
    text, markdown = as_text(made), as_markdown(made)
    assert "0.500 ↓" in text
    assert "0.500 ↓" in markdown
    assert "0.900*" in text
    assert "**0.900**" in markdown
    for shown in (text, markdown):
        assert "UNSW-NB15 (rebuilt)" in shown
        assert "by more than 2" in shown


def test_the_data_file_has_full_precision_and_reasons(tmp_path):
    third = 1 / 3
    made = report(tmp_path, record("slad", auc_roc=third), record("lof", reason="Oops: x"))
    write_report(made, tmp_path / "out", pictures=False)
    with open(tmp_path / "out" / "effectiveness-cells.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10 * 2 * 2
    slad, lof = (
        next(
            row
            for row in rows
            if (row["dataset"], row["detector"], row["metric"]) == ("Thyroid", name, "auc_roc")
        )
        for name in ("slad", "lof")
    )
    assert float(slad["mean"]) == third
    assert (slad["printed_mean"], slad["beyond"]) == ("0.995", "below")
    assert lof["mean"] == ""
    assert lof["absent"] == "failed: Oops"


@pytest.mark.parametrize("name", ["slad", "knn-1"])
def test_there_is_a_picture_only_where_something_is_printed(tmp_path, name):
    made = report(tmp_path, record(name))
    assert len(made.pictures()) == (name == "slad")
