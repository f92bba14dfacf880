from __future__ import annotations

import csv
import json

import pytest

from made_up_records import record, write
from slad.core.errors import DataError
from slad_paper.pages import build, rivals
from slad_paper.pages.document import Heading, Notes, Report, Table, as_markdown
from slad_paper.pages.records import read
from slad_paper.runner.records import PEER, REFERENCE

FIGURES = {
    ("icl", "45_wine"): (0.9, 0.6),
    ("icl", "6_cardio"): (0.8, 0.5),
    ("icl", "10_cover"): (0.7, 0.4),
    ("dsvdd", "45_wine"): (0.9, 0.6),
}


def figure(detector: str, dataset: str, roc: float, pr: float) -> dict:
    return {
        "detector": detector,
        "dataset": dataset,
        "runs": 1,
        "train_rows": 59,
        "features": 13,
        "auc_roc": roc,
        "auc_pr": pr,
    }


def run(detector: str, dataset: str, roc: float = 0.9, pr: float = 0.6, model=42, **more):
    return record(detector, dataset, roc, pr, model=model, experiment="rivals", **more)


def made(folder, *runs) -> Report:
    path = write(folder, *runs)
    figures = [figure(*pair, *values) for pair, values in FIGURES.items()]
    compared = {"icl": "icl", "icl-deepod": "icl", "dsvdd": "dsvdd"}
    reference = {"note": "a made-up library", "compared": compared, "figures": figures}
    (path / REFERENCE).write_text(json.dumps(reference))
    return rivals.report(read(path))


def table(report: Report, heading: str) -> dict[str, list[str]]:
    parts = list(report.brief)
    found = parts[parts.index(Heading(heading)) + 1]
    assert isinstance(found, Table)
    return {row[0].text: [cell.text + "*" * cell.best for cell in row[1:]] for row in found.rows}


def notes(report: Report) -> str:
    return "\n".join(
        line for part in report.brief if isinstance(part, Notes) for line in part.lines
    )


def test_means_are_over_the_datasets_that_both_have(tmp_path):
    report = made(
        tmp_path,
        run("icl", "45_wine", 0.93, 0.7),
        run("icl", "45_wine", 0.95, 0.7, model=43),
        run("icl", "6_cardio", 0.7, 0.5),
        run("icl", "47_yeast", 0.1, 0.1),
        run("icl", "10_cover", reason="Oops: no"),
    )
    means = table(report, "Means over the datasets that both have")
    assert means["icl"] == ["2", "3", "0.820", "0.850*", "-0.030", "0.600*", "0.550", "+0.050"]
    assert "failed: icl on 10_cover, 1 of 1 runs: Oops: no" in notes(report)
    assert "reference: a made-up library" in notes(report)


def test_several_of_ours_may_have_the_figures_of_one_reference(tmp_path):
    names = ("icl", "icl[window=2]", "icl-deepod")
    report = made(tmp_path, *(run(name, "45_wine", 0.95) for name in names))
    means = table(report, "Means over the datasets that both have")
    assert list(means) == list(names)
    assert all(line[:5] == ["1", "3", "0.950*", "0.900", "+0.050"] for line in means.values())


def test_only_what_is_more_than_the_tolerance_below_is_named_worst_first(tmp_path):
    report = made(
        tmp_path,
        run("icl", "45_wine", 0.851, 0.5),
        run("icl", "6_cardio", 0.6, 0.5),
        run("dsvdd", "45_wine", 0.99, 0.99),
    )
    parts = list(report.brief)
    found = parts[parts.index(Heading("More than 0.05 below the reference")) + 1]
    assert isinstance(found, Table)
    assert [[cell.text for cell in row] for row in found.rows] == [
        ["icl", "6_cardio", "AUC-ROC", "0.600", "0.800", "-0.200", "–", "59"],
        ["icl", "45_wine", "AUC-PR", "0.500", "0.600", "-0.100", "–", "59"],
    ]
    assert "2 of 6 comparisons" in notes(report)
    assert "0.600, 0.800 ↓" in as_markdown(report)
    fine = made(tmp_path / "fine", run("icl", "45_wine"))
    assert "none: 0 of 2 comparisons" in notes(fine)


def test_runs_of_the_reference_s_own_code_stand_beside_what_is_below(tmp_path):
    runs = [
        {
            "detector": "icl",
            "dataset": "6_cardio",
            "model_seed": seed,
            "auc_roc": roc,
            "auc_pr": 0.5,
        }
        for seed, roc in ((42, 0.61), (43, 0.59))
    ]
    (tmp_path / "rivals").mkdir()
    (tmp_path / "rivals" / PEER).write_text(json.dumps({"runs": runs}))
    report = made(tmp_path, run("icl", "6_cardio", 0.6, 0.5))
    assert table(report, "More than 0.05 below the reference")["icl"][5] == "0.610, 0.590"
    assert report.data["cells"][0]["its_code_on_our_rows"] == pytest.approx(0.6)


def test_over_many_tables_the_mean_difference_from_the_reference_s_code_is_told(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(rivals, "MANY", 1)
    (tmp_path / "rivals").mkdir()
    one = {
        "detector": "dsvdd",
        "dataset": "45_wine",
        "model_seed": 42,
        "auc_roc": 0.8,
        "auc_pr": 0.7,
    }
    (tmp_path / "rivals" / PEER).write_text(json.dumps({"runs": [one]}))
    report = made(tmp_path, run("dsvdd", "45_wine", 0.9, 0.6), run("icl", "45_wine"))
    said = [line for line in notes(report).splitlines() if "very same" in line]
    assert said == [
        "dsvdd against the reference's code on the very same 1 tables, 1 seeds each: "
        "AUC-ROC +0.1000, AUC-PR -0.1000"
    ]


def test_the_paper_s_lines_of_the_same_methods_come_from_the_other_experiment(tmp_path):
    write(tmp_path, record("icl", "thyroid", 0.9), record("knn-1", "thyroid", 0.95))
    markdown = as_markdown(made(tmp_path, run("icl", "45_wine")))
    block = markdown.split("## The paper's main table, AUC-ROC")[1]
    assert "| ICL printed | 0.974 ± 0.015 |" in block
    assert "knn-1" not in block
    assert "main table" not in as_markdown(made(tmp_path / "alone", run("icl", "45_wine")))


def test_without_figures_it_says_how_to_give_them(tmp_path):
    with pytest.raises(DataError, match="SLAD_REFERENCE=FILE"):
        rivals.report(read(write(tmp_path, run("icl", "45_wine"))))


def test_the_report_is_built_like_the_others_and_its_cells_are_in_full(tmp_path):
    third = 1 / 3
    made(tmp_path, run("icl", "45_wine", third))
    shown = build(tmp_path / "rivals", tmp_path / "out", pictures=False)
    assert "rivals" in shown
    with open(tmp_path / "out" / "rivals-cells.csv", newline="") as file:
        line = next(csv.DictReader(file))
    assert float(line["mean"]) == third
    assert float(line["difference"]) == third - 0.9
