from __future__ import annotations

import numpy as np
import pytest

from recipes import standardised_table
from slad.detectors.parts.views import KINDS, draw_views


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_of_scale_zero_is_the_row_and_others_go_farther_with_their_scale(kind):
    rows = standardised_table(400, 8)
    made = draw_views(rows, kind, 2000, n_scales=4, most=0.5, rng=np.random.default_rng(0))
    far = np.linalg.norm(made.cells - rows[made.origins], axis=1)
    assert (far[made.scales == 0] == 0).all()
    means = [far[made.scales == scale].mean() for scale in range(4)]
    assert means == sorted(means)
    assert set(made.scales) == {0, 1, 2, 3}


def test_noise_doubles_with_every_scale_and_swapped_cells_grow_evenly():
    rows = standardised_table(3000, 10)
    rng = np.random.default_rng(0)
    noisy = draw_views(rows, "noise", 6000, n_scales=4, most=0.2, rng=rng)
    change = noisy.cells - rows[noisy.origins]
    for scale, size in ((1, 0.05), (2, 0.1), (3, 0.2)):
        assert change[noisy.scales == scale].std() == pytest.approx(size, rel=0.05)
    swapped = draw_views(rows, "swap", 6000, n_scales=4, most=0.6, rng=rng)
    changed = swapped.cells != rows[swapped.origins]
    for scale, share in ((1, 0.2), (2, 0.4), (3, 0.6)):
        assert changed[swapped.scales == scale].mean() == pytest.approx(share, abs=0.02)


def test_swapped_cells_are_cells_of_their_own_column():
    rows = np.arange(60.0).reshape(20, 3)
    made = draw_views(rows, "swap", 200, n_scales=2, most=1.0, rng=np.random.default_rng(0))
    assert all(np.isin(made.cells[:, j], rows[:, j]).all() for j in range(3))
