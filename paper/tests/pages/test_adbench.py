from __future__ import annotations

import csv
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up_records import image_size, record, write
from slad_paper.pages import adbench
from slad_paper.pages.document import Heading, Notes, Report, Table, as_markdown, as_text
from slad_paper.pages.records import read
from slad_paper.pages.write import write as write_report
from slad_paper.runner import printed

DETECTORS = ("slad", "iforest", "knn-1", "lof", "icl")
DATASETS = ("1_ALOI", "2_annthyroid", "10_cover", "38_thyroid", "47_yeast", "6_cardio")


def run(detector: str, dataset: str, roc: float = 0.9, pr: float = 0.5, seed: int = 0, **more):
    return record(detector, dataset, roc, pr, experiment="adbench", split=seed, model=seed, **more)


def runs_of(table: np.ndarray) -> list[dict]:
    """Two seeds whose mean is the table's value (dataset by detector)."""
    return [
        run(detector, dataset, table[row, column] + shift, 1 - table[row, column] - shift, seed)
        for row, dataset in enumerate(DATASETS[: len(table)])
        for column, detector in enumerate(DETECTORS[: table.shape[1]])
        for seed, shift in ((0, -0.01), (1, 0.01))
    ]


def report(folder, runs) -> Report:
    return adbench.report(read(write(folder, *runs)))


def summary(made: Report, heading: str) -> dict[str, list[float]]:
    parts = list(made.brief)
    table = parts[parts.index(Heading(heading)) + 1]
    assert isinstance(table, Table)
    return {row[0].text: [float(cell.text) for cell in row[1:]] for row in table.rows}


def notes(made: Report) -> str:
    return "\n".join(line for part in made.brief if isinstance(part, Notes) for line in part.lines)


@given(st.integers(1, 6), st.integers(2, 5), st.integers(0, 1000))
def test_the_summary_is_what_counting_by_hand_gives(tmp_path_factory, n, k, seed):
    table = np.random.default_rng(seed).choice([0.2, 0.35, 0.5, 0.65, 0.8], size=(n, k))
    made = report(tmp_path_factory.mktemp("records"), runs_of(table))
    for heading, values in (("AUC-ROC", table), ("AUC-PR", 1 - table)):
        places = np.array(
            [
                [1 + (row > value).sum() + ((row == value).sum() - 1) / 2 for value in row]
                for row in values
            ]
        )
        shown = summary(made, heading)
        assert len(shown) == k
        for column, name in enumerate(DETECTORS[:k]):
            two, four = ((places[:, column] <= count).sum() for count in (2, 4))
            assert shown[name] == pytest.approx(
                [
                    places[:, column].mean(),
                    two,
                    100 * two / n,
                    four,
                    100 * four / n,
                    values[:, column].mean(),
                ],
                abs=0.0501,
            )
        assert list(shown) == sorted(shown, key=lambda name: (shown[name][0], name))


def test_only_datasets_that_every_detector_has_are_ranked_and_the_others_are_named(tmp_path):
    runs = [run(name, data) for name in ("slad", "lof") for data in DATASETS[:4]]
    runs += [run("slad", "47_yeast")]
    runs += [run("slad", "6_cardio"), run("lof", "6_cardio", reason="MemoryError: too wide")]
    runs += [run("slad", "45_wine"), run("lof", "45_wine", max_rows=10)]
    made = report(tmp_path, runs)
    said = notes(made)
    assert "7 of the 47 datasets of ADBench have records; 4 are ranked" in said
    assert "left out of the ranks (lof no run): 47_yeast" in said
    assert "left out of the ranks (lof failed: MemoryError): 6_cardio" in said
    assert "different numbers of rows (all, at most 10)): 45_wine" in said
    assert "failed: lof on 6_cardio, 1 of 1 runs: MemoryError: too wide" in said
    markdown = as_markdown(made)
    assert "| 47_yeast | **0.900** | no run |" in markdown


def test_nothing_to_rank_is_said_and_no_crash(tmp_path):
    made = report(tmp_path, [run("slad", "1_ALOI"), run("lof", "47_yeast")])
    assert "0 are ranked" in notes(made)
    assert made.pictures() == []
    assert "paper's table" in as_text(made)


@pytest.mark.parametrize(
    "table",
    [
        np.array([[0.5, 0.6], [0.7, 0.6], [0.4, 0.9]]),
        np.array([[0.5, 0.6, 0.7]]),
        np.array([[0.5]]),
        np.full((6, 5), 0.5),
        np.full((2, 2), 0.5),
    ],
    ids=["two detectors", "one dataset", "one of each", "all equal", "two equal"],
)
def test_small_and_equal_tables_are_reported_and_drawn_without_a_warning(tmp_path, table):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = report(tmp_path / "records", runs_of(table))
        written = write_report(made, tmp_path / "out")
    n, k = table.shape
    pictures = {path.name for path in written if path.suffix == ".svg"}
    assert ("adbench-ranks-auc-roc.svg" in pictures) == (k > 1)
    assert "adbench-values.svg" in pictures
    assert ("not done" in notes(made)) == (k < 3 or n < 2)
    if (table == table[0, 0]).all():
        assert "p = 1.000" in notes(made) or k < 3


def test_the_paper_s_table_is_beneath_with_its_warning(tmp_path):
    made = report(tmp_path, runs_of(np.array([[0.5, 0.6]])))
    shown = as_text(made)
    assert "not to be compared" in shown
    assert "among 8 other detectors (ours are 2) and over all 47 datasets" in " ".join(
        shown.split()
    )
    line = next(line for line in shown.splitlines() if line.startswith("SLAD "))
    assert " ".join(line.split()) == "SLAD 2.98 22 46.8 39 83.0 2.98 21 44.7 38 80.9"


def test_the_pairs_and_the_summary_are_written_in_full(tmp_path):
    table = np.random.default_rng(0).uniform(0.2, 0.8, size=(6, 3))
    made = report(tmp_path, runs_of(table))
    write_report(made, tmp_path / "out", pictures=False)
    with open(tmp_path / "out" / "adbench-pairs.csv", newline="") as file:
        pairs = list(csv.DictReader(file))
    assert len(pairs) == 2 * 3
    assert {"p", "p_holm", "wins", "ties", "losses"} <= set(pairs[0])
    with open(tmp_path / "out" / "adbench-summary.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    slad = next(row for row in rows if (row["metric"], row["detector"]) == ("auc_roc", "slad"))
    assert float(slad["mean"]) == pytest.approx(table[:, 0].mean(), rel=1e-14)
    assert slad["datasets"] == "6"


def test_significant_pairs_are_bold_in_the_matrix(tmp_path):
    rng = np.random.default_rng(0)
    runs = [
        run(name, f"{at}_x", roc=value + gain)
        for at, value in enumerate(rng.uniform(0.2, 0.6, size=30), 1)
        for name, gain in (("a", 0.0), ("b", rng.normal(0, 0.01)), ("c", 0.3))
    ]
    markdown = as_markdown(report(tmp_path, runs))
    block = markdown.split("## AUC-ROC: is the difference chance?")[1].split("##")[0]
    lines = {line.split(" | ")[0].strip("| "): line for line in block.splitlines()}
    assert lines["a"].count("**") == lines["b"].count("**") == 2
    assert lines["c"].count("**") == 0


def test_absent_datasets_are_named_and_so_is_what_to_know_of_those_present(tmp_path):
    runs = [
        run(detector, dataset, note="made of something else" if dataset == "10_cover" else "")
        for detector in ("slad", "lof")
        for dataset in ("1_ALOI", "10_cover")
    ]
    made = report(tmp_path, runs)
    [line] = [line for line in notes(made).split("\n") if "without records" in line]
    assert line.count(",") == 44
    assert "47_yeast" in line
    assert "10_cover" not in line
    assert "- 10_cover: made of something else" in as_markdown(made)
    assert "1_ALOI: " not in as_markdown(made)


MANY = [*printed.compared(), *(f"other-{at}" for at in range(14))]


def many(datasets=DATASETS) -> list[dict]:
    values = np.random.default_rng(0).uniform(0.3, 0.9, size=(len(datasets), len(MANY)))
    return [
        run(name, dataset, values[row, column], values[row, column])
        for row, dataset in enumerate(datasets)
        for column, name in enumerate(MANY)
    ]


def test_two_dozen_detectors_are_shown_in_two_tables_and_pictures_of_a_readable_shape(tmp_path):
    made = report(tmp_path / "records", many())
    markdown = as_markdown(made)
    for title in ("AUC-ROC", "AUC-PR"):
        for part, count in (("the paper's methods", len(printed.compared())), ("the others", 14)):
            block = markdown.split(f"## {title} on each dataset: {part}\n\n")[1]
            assert block.split("\n")[0].count("|") == 2 + count
    written = write_report(made, tmp_path / "out")
    sizes = {path.stem: image_size(path) for path in written if path.suffix == ".svg"}
    assert len(sizes) == 5
    assert all(width < 1800 and height < 1800 for width, height in sizes.values())


def test_of_many_detectors_it_is_said_who_is_better_than_whom(tmp_path):
    runs = many([f"{at}_x" for at in range(1, 31)])
    for each in runs:
        if each["detector"] == "icl":
            each["metrics"] |= {"auc_roc": 0.99, "auc_pr": 0.01}
    markdown = as_markdown(report(tmp_path, runs))
    better, worse = (
        next(line for line in block.splitlines() if line.startswith("| icl |"))
        for block in markdown.split("is the difference chance?")[1:]
    )
    assert better.startswith(f"| icl | {len(MANY) - 1}: ")
    assert better.endswith("| – |")
    assert worse.startswith(f"| icl | – | {len(MANY) - 1}: ")
    assert f"all {len(MANY) * (len(MANY) - 1) // 2} pairs" in markdown


def test_the_paper_s_eight_are_ranked_among_themselves_once_all_are_there(tmp_path):
    eight = list(printed.stand_ins().values())
    assert len(eight) == 8
    runs = [
        run(name, dataset, 0.9 - 0.01 * at, 0.1 + 0.01 * at)
        for dataset in DATASETS[:3]
        for at, name in enumerate([*eight, "slad", "knn-1"])
    ]
    made = report(tmp_path / "all", runs)
    parts = list(made.brief)
    table = parts[parts.index(Heading("The paper's eight methods among themselves")) + 1]
    assert isinstance(table, Table)
    lines = [[cell.text for cell in row] for row in table.rows]
    assert lines[0] == ["SLAD", "slad-released", "1.00", "2.98", "8.00", "2.98"]
    assert lines[-1] == ["iForest", "iforest", "8.00", "3.77", "1.00", "4.26"]
    assert "mo-gaal stands for it here" in notes(made)
    some = report(tmp_path / "some", [each for each in runs if each["detector"] != "rca"])
    assert "among themselves" not in as_markdown(some)
