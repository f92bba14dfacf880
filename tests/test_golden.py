"""Scores that may not move unnoticed.

They catch any change of the maths, of a default or of a random stream. They do not catch a change
that is small against 1e-4, a wrong result that was wrong from the start, or anything that only
shows on a GPU, on large tables or on real data (test_parity has those).
"""

from __future__ import annotations

import numpy as np
import pytest

from slad import SLAD

GOLDEN = {
    "default": [0.090841791, 0.080994636, 0.10008888, 0.083985594, 0.093584864],
    "released": [0.35271926, 0.34650174, 0.35075755, 0.35397332, 0.35337363],
    "paper": [0.021318134, 0.022460866, 0.026796752, 0.021925665, 0.025573847],
}

RECIPES = {"default": SLAD, "released": SLAD.released, "paper": SLAD.paper}


def first_scores(recipe: str) -> np.ndarray:
    # Written out cell by cell: numpy may change its random generators, but not this.
    cells = np.arange(200 * 6).reshape(200, 6)
    X = np.sin(cells * 0.7) + np.cos(cells**2 * 0.013) * (1 + np.arange(6))
    # A small learning rate: training enlarges the rounding in which processors differ.
    settings = {"random_state": 0, "device": "cpu", "epochs": 3, "learning_rate": 1e-4}
    detector = RECIPES[recipe](**settings).fit(X)
    return detector.anomaly_score(X[:5])


@pytest.mark.parametrize("recipe", list(RECIPES))
def test_the_first_scores_are_those_of_the_last_release(recipe):
    np.testing.assert_allclose(first_scores(recipe), GOLDEN[recipe], rtol=1e-4)
