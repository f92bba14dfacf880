"""Losses of test inliers and anomalies, epoch by epoch."""

from __future__ import annotations

import json

import numpy as np
import pytest

from recipes import SMALL, with_anomalies
from slad import SLAD
from slad_paper.datasets import load
from slad_paper.datasets.protocol import contaminated_split
from slad_paper.runner.losses import QUANTILES, box
from slad_paper.runner.metrics import auc_roc
from slad_paper.studies import inlier_priority


def test_scores_of_every_epoch_end_with_those_of_the_detector():
    train, test, _ = with_anomalies(200, 6)
    detectors = [SLAD(**SMALL | {"random_state": seed}) for seed in (0, 1)]
    found = inlier_priority.scores_by_epoch(detectors, train, test)
    for detector, scores in zip(detectors, found, strict=True):
        assert scores.shape == (len(test), SMALL["epochs"] + 1)
        np.testing.assert_allclose(scores[:, -1], detector.anomaly_score(test), rtol=1e-5)
    assert not np.allclose(found[0], found[1])


def test_a_case_records_both_groups_before_training_and_after_every_epoch():
    case = inlier_priority.cases(quick=True)[2]
    result = inlier_priority.run(case, "cpu")
    json.dumps(result, allow_nan=False)
    data = load("breast-cancer")
    split = contaminated_split(data.X, data.y, 42, rate=0.02, max_rows=10_000)
    assert result["rows"]["train_anomalies"] == split.train_labels.sum() > 0
    detector = SLAD(epochs=3, random_state=42, device="cpu").fit(split.train)
    scores = detector.anomaly_score(split.test)
    run = result["runs"][0]
    assert len(run["auc_roc"]) == len(run["inliers"]) == len(run["anomalies"]) == 4
    assert run["auc_roc"][-1] == pytest.approx(auc_roc(split.test_labels, scores), abs=1e-5)
    odd = scores[split.test_labels == 1]
    assert run["anomalies"][-1]["mean"] == pytest.approx(odd.mean(), rel=1e-4)
    assert run["anomalies"][-1]["quantiles"][2] == pytest.approx(np.median(odd), rel=1e-4)


def test_the_released_recipe_has_its_exceptions_and_the_others_have_none():
    settings = {case.name: case.settings for case in inlier_priority.cases(quick=False)}
    assert settings["slad-released-thyroid"]["parameters"] == {"epochs": 10}
    assert settings["slad-released-mvtec-bottle"]["parameters"] == {"scaling": "none"}
    assert settings["slad-released-bank"]["parameters"] == {}
    assert all(
        not each["parameters"] for each in settings.values() if each["recipe"] == "slad-subspaces"
    )
    assert len(settings) == 3 * 24


def test_a_box_holds_the_quantiles_that_reports_draw():
    from slad_paper.pages.boxes import QUANTILES as DRAWN

    assert list(QUANTILES) == DRAWN
    losses = np.arange(101) / 100
    assert box(losses) == {"mean": 0.5, "quantiles": list(QUANTILES)}
