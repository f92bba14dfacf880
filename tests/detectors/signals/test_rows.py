"""Rows in the five spaces."""

from __future__ import annotations

import numpy as np
import torch

from slad.detectors.parts.spaces import NAMES, Spaces
from slad.detectors.signals.rows import RowsInSpaces

CPU = torch.device("cpu")


def test_rows_are_there_in_every_space_in_single_precision():
    rows = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    moved = RowsInSpaces.of(rows, Spaces.fit(rows.astype(float), CPU), CPU)
    assert tuple(moved.spaces) == NAMES
    assert {each.dtype for each in moved.spaces.values()} == {torch.float32}
    np.testing.assert_array_equal(moved.array("standard"), rows)
