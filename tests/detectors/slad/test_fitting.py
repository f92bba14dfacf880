"""From the parameters of `SLAD` to the members of a stack."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from recipes import SMALL, table
from slad import SLAD
from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import SLADSeries
from slad.detectors.slad.objective import rows_per_group


def small(**settings) -> SLAD:
    return SLAD.released(**SMALL | settings)


def test_members_whose_subspaces_have_different_lengths_classify_side_by_side():
    detector = small(loss="cross_entropy", n_members=5, n_groups=2, length_pool=7).fit(
        table(80, 40)
    )
    counts = {len(set(scorer.maps.subspaces.lengths)) for scorer in detector._scorers}
    assert len(counts) > 1
    assert {scorer.network.outputs for scorer in detector._scorers} == {7}


def test_a_series_whose_subspaces_have_more_lengths_than_the_pool_is_refused():
    series = np.random.default_rng(0).normal(size=(60, 3))
    SLADSeries(detector=SLAD(**SMALL, loss="cross_entropy")).fit(series)
    with pytest.raises(ConfigError, match="length_pool=None"):
        SLADSeries(detector=small(loss="cross_entropy", length_pool=2)).fit(series)
