"""Scores that may not move unnoticed.

They catch any change of the maths, of a default or of a random stream. They do not catch a change
that is small against 1e-4, a wrong result that was wrong from the start, or anything that only
shows on a GPU, on large tables or on real data (test_parity has those).
"""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors import registry

GOLDEN = {
    "learned-signals": [-0.20811125, -0.77070219, -0.83851971, 0.73421871, -0.83295078],
    "neighbor-scale": [0.0372139, -1.3701221, -0.59583741, 1.050547, -0.51010892],
    "slad": [0.090841791, 0.080994636, 0.10008888, 0.083985594, 0.093584864],
    "slad-released": [0.35271926, 0.34650174, 0.35075755, 0.35397332, 0.35337363],
    "slad-paper": [0.021318134, 0.022460866, 0.026796752, 0.021925665, 0.025573847],
    "neutral": [0.93645221, 0.93696678, 0.91458797, 0.94723111, 0.94593436],
    "goad": [2424.5266, 916.4746, 2256.1466, 1720.0255, 1797.5261],
    "icl": [2.5067168, 2.8177266, 6.2794607, 3.7145039, 4.7647817],
    "icl-deepod": [59.713137, 43.409156, 241.77412, 104.16112, 104.04047],
    "dsvdd": [1.0811788, 0.28596562, 1.2921987, 0.73689389, 0.90157115],
    "dsvdd-soft": [0.096850395, -0.69836307, 0.30786991, -0.24743462, -0.082757771],
    "ae": [0.75584012, 0.32462731, 0.093510211, 0.50855273, 0.066591062],
    "rca": [0.80944379, 0.37007041, 0.086330651, 0.58149016, 0.089825013],
    "so-gaal": [0.094364479, 0.093803793, -0.080240585, 0.21752636, -0.079925776],
    "mo-gaal": [0.09436851, 0.093806364, -0.0802375, 0.21752805, -0.079923533],
    "iforest": [0.58663817, 0.43591157, 0.54300802, 0.50598743, 0.4875405],
    "dif": [0.25736878, 0.23758833, 0.32551168, 0.24770694, 0.28478317],
    "knn-1": [0.89665431, 0.65939802, 0.84733282, 0.88350009, 0.70524073],
    "knn-5": [1.6214131, 1.1554915, 1.1604985, 1.6596719, 1.4064763],
    "dte-np": [0.27859663, 0.15456956, 0.16493264, 0.32080293, 0.23551191],
    "dte-c": [2.9393604, 2.9495633, 2.9627764, 2.9197277, 2.9536454],
    "lof": [1.0246886, 0.9418673, 0.95339756, 1.1226438, 1.0545114],
    "ocsvm": [-17.848813, -26.006439, -21.536507, -9.6525994, -18.034423],
    "ecod": [9.0520366, 5.4129082, 6.2149604, 16.674442, 8.4625023],
    "copod": [6.4206418, 5.5029894, 5.7794473, 10.970013, 7.3726814],
    "pca": [7.9966279, 1.0469786, 7.8546842, 5.6582175, 4.717227],
    "mahalanobis": [13.250656, 1.3102742, 9.1835993, 6.8445431, 5.3073947],
}

# A small learning rate: training enlarges the rounding in which processors differ.
SETTINGS = {"random_state": 0, "device": "cpu", "epochs": 3, "learning_rate": 1e-4}


def first_scores(name: str) -> np.ndarray:
    # Written out cell by cell: numpy may change its random generators, but not this.
    cells = np.arange(205 * 6).reshape(205, 6)
    X = np.sin(cells * 0.7) + np.cos(cells**2 * 0.013) * (1 + np.arange(6))
    known = registry.make(name).get_params()
    settings = {key: value for key, value in SETTINGS.items() if key in known}
    detector = registry.make(name, **settings).fit(X[:200])
    # A model that keeps training rows would only find them again.
    return detector.anomaly_score(X[200:] if detector.keeps_training_data else X[:5])


def test_every_name_has_its_scores():
    assert set(GOLDEN) == set(registry.names())


@pytest.mark.parametrize("name", registry.names())
def test_the_first_scores_are_those_of_the_last_release(name):
    np.testing.assert_allclose(first_scores(name), GOLDEN[name], rtol=1e-4)
