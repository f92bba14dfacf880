"""The names and the order of the signals."""

from __future__ import annotations

import numpy as np

from slad.detectors.signals.profile import CONTRASTS, LEVELS, contrasts_of


def test_every_signal_has_a_name_of_its_own():
    assert len(set(LEVELS)) == len(LEVELS)
    assert len(set(CONTRASTS)) == len(CONTRASTS)
    assert {name for pair in CONTRASTS for name in pair} <= set(LEVELS)


def test_contrasts_stay_when_all_distances_grow_by_one_factor():
    levels = np.random.default_rng(1).normal(size=(5, len(LEVELS)))
    np.testing.assert_allclose(contrasts_of(levels + np.log(7)), contrasts_of(levels), atol=1e-12)
