"""The experiment on false alarms: its intervals, its p-values, its page, and a few real tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from slad_paper.datasets.planted import planted
from slad_paper.studies.alarm_rates import LEVELS, alarms, discoveries, intervals
from slad_paper.studies.false_alarms import Calibrated, rates

HERE = Path(__file__).parents[2]


def test_the_exact_interval_is_wider_where_calibration_rows_are_few():
    few, many = intervals(0.05, 100, 1000), intervals(0.05, 100_000, 1000)
    assert few["exact"][1] > many["exact"][1]
    np.testing.assert_allclose(many["exact"], many["plain"], atol=0.002)
    assert "exact" not in intervals(0.01, 50, 1000)


def test_both_intervals_hold_the_rates_that_they_should():
    rng = np.random.default_rng(0)
    found = {"plain": [], "exact": []}
    spans = intervals(0.05, 400, 300)
    for _ in range(2000):
        edge = np.sort(rng.uniform(size=400))[-20]  # 20 / 401 of new rows are expected beyond
        rate = np.mean(rng.uniform(size=300) > edge)
        for kind, (low, high) in spans.items():
            found[kind].append(low <= rate <= high)
    assert np.mean(found["exact"]) >= 0.985
    assert np.mean(found["plain"]) < np.mean(found["exact"])


@pytest.mark.parametrize("calibration", ["cross", "split"])
@pytest.mark.parametrize("repeat", [False, True])
def test_fresh_normal_rows_raise_the_promised_share_of_alarms(calibration, repeat):
    rows, labels = planted("point", 6000, 100, 5, seed=1)
    if repeat:  # many equal rows: ties
        rows = np.clip(rows.round(), -1, 1)
    normal, odd = rows[labels == 0], rows[labels == 1]
    model = Calibrated("knn-5", normal[:900], calibration, seed=0)
    pvalues = model.pvalues(normal[900:])["mean"]
    count = len(model.calibration)
    for alarm in alarms(pvalues, model.pvalues(odd)["mean"], count):
        assert alarm["rate"] <= alarm["intervals"]["exact"][1]
        if not repeat:
            assert alarm["rate"] >= alarm["intervals"]["exact"][0]


def test_discoveries_count_false_and_true_ones():
    fresh, odd = np.linspace(0.2, 1, 90), np.full(50, 0.001)
    assert discoveries(fresh, odd) == {"anomalies": 10, "false": 0, "true": 10}


@pytest.mark.data
@pytest.mark.parametrize(
    "dataset", ["6_cardio", "12_fault", "38_thyroid", "41_Waveform", "44_Wilt"]
)
def test_false_alarm_rates_of_real_tables_are_where_they_should_be(dataset, data_root):
    for check in rates("knn-5", dataset)["checks"].values():
        assert [alarm["level"] for alarm in check["alarms"]] == list(LEVELS)
        for alarm in check["alarms"]:
            low, high = alarm["intervals"]["exact"]
            assert low <= alarm["rate"] <= high
