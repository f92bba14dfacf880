"""Our figures against the printed ones, on the paper's data. Slow, and skipped without the data."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from slad import SLAD, fit_many
from slad.detectors import DeepIsolationForest
from slad_paper.datasets import load
from slad_paper.datasets.protocol import half_normal_split

pytestmark = pytest.mark.data


def test_the_released_recipe_has_the_paper_s_figures_on_thyroid(data_root):
    data = load("thyroid", root=data_root)
    split = half_normal_split(data.X, data.y, 42)
    detectors = [SLAD.released(epochs=10, random_state=seed, device="cpu") for seed in (42, 43, 44)]
    scores = [d.anomaly_score(split.test) for d in fit_many(detectors, [split.train] * 3)]
    roc = np.mean([roc_auc_score(split.test_labels, own) for own in scores])
    pr = np.mean([average_precision_score(split.test_labels, own) for own in scores])
    assert roc == pytest.approx(0.995, abs=0.005)
    assert pr == pytest.approx(0.921, abs=0.04)


def test_the_released_recipe_is_near_the_paper_on_pageblocks(data_root):
    data = load("pageblocks", root=data_root)
    split = half_normal_split(data.X, data.y, 42)
    detector = SLAD.released(random_state=42, device="cpu").fit(split.train)
    assert roc_auc_score(split.test_labels, detector.anomaly_score(split.test)) > 0.955


THROMBIN = """
import resource
import numpy as np
from slad import SLAD
from slad_paper.datasets import load

X = load("thrombin", download=False).X
scores = SLAD.released(epochs=2, random_state=0, device="cpu").fit(X).anomaly_score(X[:200])
assert np.isfinite(scores).all() and np.ptp(scores) > 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_a_sparse_table_of_139351_features_trains_in_6_gigabytes(data_root):
    done = subprocess.run(
        [sys.executable, "-c", THROMBIN],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1", "SLAD_DATA": str(data_root)},
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 6 * 2**20


@pytest.mark.data
def test_a_deep_isolation_forest_tells_the_anomalies_of_thyroid_apart(data_root):
    data = load("thyroid", root=data_root)
    split = half_normal_split(data.X, data.y, 42)
    detector = DeepIsolationForest(random_state=42).fit(split.train)
    assert roc_auc_score(split.test_labels, detector.anomaly_score(split.test)) > 0.98
