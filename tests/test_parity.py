"""Our figures against the printed ones, on the paper's data. Slow, and skipped without the data."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from slad import SLAD, fit_many

pytestmark = pytest.mark.data


def split(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The paper's: a random half of the normal rows trains, all other rows test."""
    order = np.random.RandomState(42).permutation(len(X))
    X, y = X[order], y[order]
    normal = np.flatnonzero(y == 0)
    train = normal[: len(normal) // 2]
    rest = np.setdiff1d(np.arange(len(X)), train)
    return X[train], X[rest], y[rest]


def test_the_released_recipe_has_the_paper_s_figures_on_thyroid(data_root):
    data = np.loadtxt(data_root / "paper" / "01-thyroid.csv", delimiter=",", skiprows=1)
    train, test, labels = split(data[:, :-1], data[:, -1].astype(int))
    detectors = [SLAD.released(epochs=10, random_state=seed, device="cpu") for seed in (42, 43, 44)]
    scores = [d.anomaly_score(test) for d in fit_many(detectors, [train] * 3)]
    roc = np.mean([roc_auc_score(labels, own) for own in scores])
    pr = np.mean([average_precision_score(labels, own) for own in scores])
    assert roc == pytest.approx(0.995, abs=0.005)
    assert pr == pytest.approx(0.921, abs=0.04)


def test_the_released_recipe_is_near_the_paper_on_pageblocks(data_root):
    with np.load(data_root / "paper" / "27_PageBlocks.npz") as data:
        train, test, labels = split(data["X"], data["y"].ravel().astype(int))
    detector = SLAD.released(random_state=42, device="cpu").fit(train)
    assert roc_auc_score(labels, detector.anomaly_score(test)) > 0.955


THROMBIN = """
import resource, sys
import numpy as np
from scipy.sparse import csr_array
from slad import SLAD

with np.load(sys.argv[1]) as data:
    parts = data["data"], data["indices"], data["indptr"]
    X = csr_array(parts, shape=tuple(data["shape"]))
scores = SLAD.released(epochs=2, random_state=0, device="cpu").fit(X).anomaly_score(X[:200])
assert np.isfinite(scores).all() and np.ptp(scores) > 0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_a_sparse_table_of_139351_features_trains_in_6_gigabytes(data_root):
    path = data_root / "paper" / "thrombin_csr.npz"
    done = subprocess.run(
        [sys.executable, "-c", THROMBIN, str(path)],
        capture_output=True,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 6 * 2**20
