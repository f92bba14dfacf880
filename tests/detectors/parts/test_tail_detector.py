from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.stats import skew

from slad.detectors.parts.tail_detector import distinct_values, skewness


@pytest.mark.parametrize("wrap", [np.asarray, csr_array], ids=["dense", "csr"])
def test_the_skewness_is_scipy_s(wrap):
    X = np.round(np.exp(np.random.default_rng(0).normal(size=(80, 6))), 1) - 2
    X[:, 2] = -X[:, 1]
    X[:, 3] = 0.1
    parts = zip(*distinct_values(wrap(X)), strict=True)
    values, counts, lengths = (np.concatenate(part) for part in parts)
    with np.errstate(invalid="ignore"):
        expected = np.nan_to_num(skew(np.delete(X, 3, axis=1), axis=0))
    actual = skewness(values, counts, lengths)
    np.testing.assert_allclose(np.delete(actual, 3), expected, rtol=1e-9)
    assert abs(actual[3]) < 1e-9
