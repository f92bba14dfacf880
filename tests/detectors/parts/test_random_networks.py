from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kurtosis

from slad.detectors.parts.random_networks import DRAWN, standard_normal


def test_the_numbers_drawn_are_normal():
    values = standard_normal(5, "some", DRAWN + 1001).numpy()
    assert values.dtype == np.float32
    assert np.isfinite(values).all()
    assert abs(values.mean()) < 0.005
    assert abs(values.std() - 1) < 0.005
    assert abs(kurtosis(values)) < 0.02
    assert np.mean(np.abs(values) > 1.96) == pytest.approx(0.05, abs=0.002)
    # What is drawn in a second turn is no repetition of the first.
    assert abs(np.corrcoef(values[:1000], values[DRAWN : DRAWN + 1000])[0, 1]) < 0.1
