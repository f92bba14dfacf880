"""The figure of complicated normal data: means over tables, intervals over combinations."""

from __future__ import annotations

import pytest

from made_up_records import record, write
from slad_paper.pages import variety
from slad_paper.pages.claims import FAILS, HOLDS
from slad_paper.pages.document import Notes
from slad_paper.pages.records import read
from slad_paper.pages.write import can_draw
from slad_paper.pages.write import write as write_report


def runs(name: str, one: float, nine: float) -> list[dict]:
    """Two strange classes and two seeds, with one and with nine normal classes."""
    tables = {"fmnist-3-vs-0": one, "fmnist-7-vs-1": one + 0.02}
    tables |= {"fmnist-123456789-vs-0": nine, "fmnist-023456789-vs-1": nine + 0.02}
    return [
        record(name, table, value + shift, experiment="variety", split=seed, model=seed)
        for table, value in tables.items()
        for seed, shift in ((0, -0.01), (1, 0.01))
    ]


def report(folder, *more):
    made = [*runs("slad-released", 0.9, 0.85), *runs("rca", 0.9, 0.5), *runs("neutral", 0.9, 0.7)]
    return variety.report(read(write(folder, *made, *more)))


def test_means_are_over_combinations_after_seeds_and_so_are_intervals(tmp_path):
    point = next(row for row in report(tmp_path).data["points"] if row["detector"] == "rca")
    assert point["classes"] == 1
    assert point["auc_roc"] == pytest.approx(0.91)
    assert point["runs"] == 4
    half = 12.7062 * 0.02 / 2  # Student's t with one degree of freedom, two means 0.02 apart
    assert point["low"] == pytest.approx(0.91 - half, abs=1e-4)
    assert point["high"] == 1.0  # an AUC is no larger


def test_verdicts_follow_what_is_lost(tmp_path):
    claims = {row[0].text: row[1].text for row in report(tmp_path).brief[1].rows}
    assert claims["SLAD loses about 10 % and still has over 0.8 with nine classes (slad-released here)"] == HOLDS  # fmt: skip  # noqa: E501
    assert claims["generative models lose over 30 %"] == HOLDS
    assert claims["SLAD is above its contrastive counterparts"] == HOLDS


def test_a_slad_that_loses_as_much_fails_the_claim(tmp_path):
    made = [*runs("slad-paper", 0.9, 0.5), *runs("rca", 0.9, 0.5)]
    [claims] = [variety.report(read(write(tmp_path, *made))).brief[1].rows]
    assert claims[0][1].text == FAILS


def test_the_picture_is_drawn_with_a_failed_run_among_them(tmp_path):
    if not can_draw():
        pytest.skip("matplotlib is not installed")
    failed = record("rca", "fmnist-35-vs-0", experiment="variety", split=9, reason="Oops: no")
    paths = write_report(report(tmp_path, failed), tmp_path / "out")
    assert (tmp_path / "out" / "variety-curves.svg") in paths


def test_a_detector_with_fewer_runs_is_named(tmp_path):
    notes = [
        part
        for part in report(tmp_path, *runs("icl", 0.9, 0.8)[::2]).brief
        if isinstance(part, Notes)
    ]
    assert "icl has 4 of 8 runs" in [line for part in notes for line in part.lines]
