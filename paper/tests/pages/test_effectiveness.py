from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up_records import image_size, record, write
from slad_paper.pages import effectiveness
from slad_paper.pages.document import Heading, Notes, Report, Table, as_markdown, as_text
from slad_paper.pages.records import read
from slad_paper.pages.verdicts import beyond
from slad_paper.pages.write import write as write_report
from slad_paper.runner import printed
from slad_paper.runner.printed import Printed


def report(tmp_path, *runs) -> Report:
    return effectiveness.report(read(write(tmp_path, *runs)))


def cells(made: Report, table: int = 0) -> dict[str, dict[str, str]]:
    """Dataset -> line -> text; a best cell ends with a star."""
    found = [part for part in made.brief if isinstance(part, Table)][table]
    return {
        name: {row[0].text: row[at].text + "*" * row[at].best for row in found.rows}
        for at, name in enumerate(found.header)
        if at
    }


def verdicts(made: Report) -> dict[str, list[str]]:
    parts = list(made.brief)
    table = parts[parts.index(Heading("Are the printed numbers reached?")) + 1]
    assert isinstance(table, Table)
    return {row[0].text: [cell.text + "*" * cell.best for cell in row[1:]] for row in table.rows}


def notes(made: Report) -> str:
    return "\n".join(line for part in made.brief if isinstance(part, Notes) for line in part.lines)


def test_the_mark_says_how_far_is_far():
    number = Printed(0.9, 0.01)
    assert beyond(0.9, number) == ""
    assert beyond(0.9204, number) == ""
    assert beyond(0.9206, number) == "↑"
    assert beyond(0.8796, number) == ""
    assert beyond(0.8794, number) == "↓"


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 0.3))
def test_only_what_is_outside_two_deviations_and_the_rounding_is_marked(ours, mean, std):
    marked = beyond(ours, Printed(mean, std))
    assert bool(marked) == (abs(ours - mean) > 2 * std + 0.0005)
    assert not marked or (marked == "↑") == (ours > mean)


def test_the_table_has_the_datasets_at_hand_and_each_printed_method_before_ours(tmp_path):
    names = ("knn-1", "slad", "iforest", "slad-released", "slad[epochs=20]", "icl")
    made = report(tmp_path, *(record(name) for name in names))
    table = cells(made)
    assert list(table)[:8] == [row.name for row in printed.rows() if row.available]
    assert list(table["Thyroid"]) == [
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
    assert "Amazon (tab)" not in table
    assert "not available, so not shown: Amazon (tab), Yelp (tab)" in notes(made)
    assert "failed: slad on thrombin, 1 of 1 runs: MemoryError: 12 GiB" in notes(made)


def test_amazon_is_shown_once_it_has_records(tmp_path):
    made = report(tmp_path, record("slad", "amazon", auc_roc=0.6), record("lof", "yelp"))
    assert cells(made)["Amazon (tab)"] == {
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
    assert "do not compare" in notes(made)
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
    assert len(rows) == 8 * 2 * 2
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
    assert len(made.pictures()) == (2 if name == "slad" else 0)


def test_a_verdict_says_whether_the_printed_numbers_are_reached_and_names_what_is_below(tmp_path):
    made = report(
        tmp_path,
        record("icl", auc_roc=0.945, auc_pr=0.9),  # printed 0.974 ± 0.015 and 0.726 ± 0.070
        record("icl", "bank", auc_roc=0.69, auc_pr=0.468),  # 0.724 ± 0.014 and 0.468 ± 0.015
        record("neutral", "bank", reason="MemoryError"),
        record("neutral", auc_roc=0.99, auc_pr=0.5),
        record("knn-1"),
    )
    assert verdicts(made) == {
        "icl": ["ICL", "below on 1 of 2", "reached on all 2*", "–"],
        "neutral": ["NeuTraL", "reached on its only row*", "below on 1 of 1", "Bank"],
    }
    assert "icl, AUC-ROC, below on: Bank 0.690 (printed 0.724 ± 0.014)" in notes(made)
    assert "neutral, AUC-PR, below on: Thyroid 0.500 (printed 0.824 ± 0.018)" in notes(made)


def test_where_nothing_is_below_that_is_said(tmp_path):
    made = report(tmp_path, record("rca", auc_roc=0.999, auc_pr=0.999))
    assert "nothing is below" in notes(made)


def test_out_of_memory_in_the_paper_is_nothing_to_be_compared_with(tmp_path):
    made = report(tmp_path, record("icl", "thrombin"), record("so-gaal", "thrombin", reason="No"))
    assert verdicts(made) == {"icl": ["ICL", "nothing to compare", "nothing to compare", "–"]}


def test_both_gaal_stand_beside_the_printed_one_and_a_note_says_why(tmp_path):
    made = report(tmp_path, record("so-gaal"), record("mo-gaal"), record("slad"))
    assert list(cells(made)["Bank"]) == [
        "SLAD printed",
        "slad",
        "GAAL printed",
        "mo-gaal",
        "so-gaal",
    ]
    assert "GAAL: the paper names PyOD's" in notes(made)
    assert "epochs" in notes(made)
    assert "epochs" not in notes(report(tmp_path / "ours", record("slad"), record("iforest")))


def test_two_dozen_detectors_make_pictures_of_a_readable_shape(tmp_path):
    names = [*printed.compared(), *(f"other-{at}" for at in range(13))]
    rows = [row for row in printed.rows() if row.available]
    runs = [record(name, data) for name in names for row in rows for data in row.datasets]
    written = write_report(report(tmp_path / "records", *runs), tmp_path / "out")
    sizes = {path.stem: image_size(path) for path in written if path.suffix == ".svg"}
    assert set(sizes) == {"effectiveness-verdicts", "effectiveness-printed"}
    assert all(width < 1800 for width, _ in sizes.values())
