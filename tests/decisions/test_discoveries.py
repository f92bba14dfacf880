from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from slad.decisions import benjamini_hochberg


def naive_benjamini_hochberg(pvalues, rate):
    ordered = sorted(pvalues)
    last = max((k for k, p in enumerate(ordered, 1) if p <= rate * k / len(pvalues)), default=0)
    return [last > 0 and p <= ordered[last - 1] for p in pvalues]


@given(st.lists(st.floats(0.001, 1), max_size=40), st.sampled_from([0.05, 0.1, 0.5]))
def test_benjamini_hochberg_is_the_textbook_one(pvalues, rate):
    found = benjamini_hochberg(np.array(pvalues), rate)
    assert found.tolist() == naive_benjamini_hochberg(pvalues, rate)


def test_benjamini_hochberg_is_that_of_scipy():
    rng = np.random.default_rng(0)
    for _ in range(50):
        pvalues = rng.uniform(size=30) ** rng.uniform(1, 4)
        wanted = false_discovery_control(pvalues) <= 0.1
        assert (benjamini_hochberg(pvalues, 0.1) == wanted).all()
