"""The figure of contaminated training data: one value a dataset, detector and rate."""

from __future__ import annotations

import pytest

from made_up_records import record, write
from slad_paper.pages import contamination
from slad_paper.pages.claims import HOLDS, PARTLY
from slad_paper.pages.records import read
from slad_paper.pages.write import can_draw
from slad_paper.pages.write import write as write_report

RATES = (0.0, 0.02, 0.1)


def runs(name: str, values: tuple[float, ...], dataset: str = "thyroid", **more) -> list[dict]:
    return [
        record(name, dataset, value, experiment="contamination", contamination=rate, **more)
        for rate, value in zip(RATES, values, strict=True)
    ]


def test_rates_are_kept_apart_and_verdicts_follow(tmp_path):
    ours, theirs = runs("slad-released", (0.95, 0.9, 0.85)), runs("rca", (0.9, 0.8, 0.6))
    report = contamination.report(read(write(tmp_path, *ours, *theirs)))
    cells = {(row["detector"], row["rate"]): row["auc_roc"] for row in report.data["cells"]}
    assert cells["rca", 0.1] == 0.6
    assert cells["slad-released", 0.0] == 0.95
    first, last = report.brief[1].rows
    assert (first[1].text, last[1].text) == (HOLDS, HOLDS)
    assert "best of the paper's methods in 2 of 2 cells" in first[2].text
    assert "rca -0.200" in last[2].text


def test_a_detector_that_does_not_suffer_makes_the_claim_hold_partly(tmp_path):
    ours, theirs = runs("slad-released", (0.9, 0.9, 0.9)), runs("rca", (0.9, 0.8, 0.6))
    report = contamination.report(read(write(tmp_path, *ours, *theirs)))
    assert report.brief[1].rows[-1][1].text == PARTLY


def test_means_are_over_the_datasets_that_all_detectors_have(tmp_path):
    made = [*runs("slad-released", (0.9, 0.9, 0.9)), *runs("rca", (0.8, 0.8, 0.8))]
    made += runs("rca", (0.1, 0.1, 0.1), "waveform")
    report = contamination.report(read(write(tmp_path, *made)))
    means = {row[0].text: [cell.text for cell in row[1:]] for row in report.brief[3].rows}
    assert means["rca"] == ["0.800"] * 3
    assert "means over Thyroid;" in report.brief[4].lines[0]


def test_the_picture_has_a_panel_for_each_dataset(tmp_path):
    if not can_draw():
        pytest.skip("matplotlib is not installed")
    made = [*runs("slad-released", (0.9, 0.9, 0.9)), *runs("knn-1", (0.8, 0.8, 0.8), "waveform")]
    write_report(contamination.report(read(write(tmp_path, *made))), tmp_path / "out")
    assert (tmp_path / "out" / "contamination-curves.svg").exists()
