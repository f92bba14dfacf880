"""Rows in the spaces of the signals."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from slad.detectors.parts import spaces
from slad.detectors.parts.space_statistics import NAMES
from slad.detectors.signals.rows import SPACES, TURNED, Spaces

ROWS = np.random.default_rng(0).gamma(1.0, size=(300, 3)).astype(np.float32)
OTHERS = np.random.default_rng(1).gamma(1.5, size=(80, 3)).astype(np.float32)


def test_rows_are_there_in_every_space_in_single_precision():
    moved = Spaces(ROWS)(OTHERS)
    assert tuple(moved.spaces) == SPACES
    assert {each.dtype for each in moved.spaces.values()} == {np.dtype(np.float32)}
    np.testing.assert_array_equal(moved.standard, OTHERS)


def test_the_spaces_are_those_that_neighbor_scale_compares_rows_in():
    theirs = spaces.Spaces.fit(ROWS.astype(float), torch.device("cpu"))
    wanted = dict(zip(NAMES, theirs(torch.from_numpy(OTHERS).double()), strict=True))
    for name, cells in Spaces(ROWS)(OTHERS).spaces.items():
        np.testing.assert_allclose(np.abs(cells), wanted[name].abs(), atol=2e-4, err_msg=name)


def test_turned_rows_keep_what_far_cells_lose():
    moved = Spaces(ROWS)(np.full((1, 3), 9e4, dtype=np.float32))
    assert np.abs(moved.turned["standard"]).max() > np.abs(moved.spaces["whitened"]).max()


@pytest.mark.parametrize("space", TURNED)
def test_turned_reference_rows_have_no_correlation_and_about_one_variance(space):
    cells = Spaces(ROWS)(ROWS).turned[space]
    covariance = np.cov(cells.T)
    assert np.abs(covariance - np.diag(np.diag(covariance))).max() < 1e-3
    assert (np.diag(covariance) > 0.8).all()
