"""Signals of linear dependence."""

from __future__ import annotations

import numpy as np

from slad.detectors.parts.space_statistics import Principal
from slad.detectors.signals.dependence import Dependence


def found(reference: np.ndarray, rows: np.ndarray) -> dict[str, np.ndarray]:
    principal = Principal.of(reference)
    signals = Dependence(reference, principal)(
        rows, (rows - principal.center) @ principal.whitening()
    )
    return dict(zip(Dependence.NAMES, signals.T, strict=True))


def test_a_broken_dependence_is_a_large_residual_though_each_cell_is_usual():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(500, 1))
    rows = hidden + 0.05 * rng.normal(size=(500, 3))
    whole = found(rows, np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 1.0]]))
    for name in ("residual largest", "residual mean", "rest", "whitened norm"):
        assert whole[name][1] > whole[name][0] + 2, name
    assert abs(np.diff(whole["city norm"])[0]) < 0.1


def test_the_norm_is_the_mean_square_about_the_mean():
    rows = np.random.default_rng(0).normal(size=(200, 4)) + 7
    norm = found(rows, rows)["norm"]
    wanted = np.square(rows - rows.mean(axis=0)).mean(axis=1)
    np.testing.assert_allclose(np.exp(norm), wanted + 1e-3, rtol=1e-4)


def test_constant_columns_and_one_row_give_numbers():
    for rows in (np.ones((5, 3)), np.ones((1, 2))):
        assert np.isfinite(list(found(rows, rows + 1).values())).all()
