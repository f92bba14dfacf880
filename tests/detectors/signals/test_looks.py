"""One look at training rows that are normal, two where they may hold anomalies."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, random_array

from slad.detectors.signals import looks, standard
from slad.detectors.signals.looks import Looks
from slad.detectors.signals.profile import Extremes

ROWS = np.random.default_rng(0).normal(size=(200, 3))


def fit(X, *, clean: bool, max_rows: int | None = None):
    return Looks.fit(X, clean=clean, max_rows=max_rows, seed=0)


def test_clean_rows_are_looked_at_once_and_others_twice():
    for clean, count in ((True, 1), (False, 2)):
        found, own = fit(ROWS, clean=clean)
        assert len(found.looks) == count
        assert own[0].shape == (200, count * Extremes.sizes()[0])
        assert own[1].shape == (200, count * Extremes.sizes()[1])


def test_the_second_look_leaves_the_strangest_rows_out():
    rows = np.concatenate([ROWS, np.full((10, 3), 30.0) + np.arange(30).reshape(10, 3)])
    second = fit(rows, clean=False)[0].looks[1]
    assert len(second.rows) == 189
    assert not (second.rows > 3).all(axis=1).any()


def test_rows_come_out_in_the_order_they_went_in():
    rows = np.concatenate([ROWS, np.full((1, 3), 30.0)])
    _, (monotone, _) = fit(rows, clean=False)
    assert monotone.mean(axis=1).argmax() == 200


def test_no_more_rows_are_looked_at_than_asked_for():
    assert len(fit(ROWS, clean=True, max_rows=50)[0].looks[0].rows) == 50


def test_blocks_do_not_change_what_is_seen(monkeypatch):
    found, _ = fit(ROWS, clean=True)
    whole = found.inputs(ROWS)
    monkeypatch.setattr(looks, "TOGETHER", 9)
    for mine, its in zip(whole, found.inputs(ROWS), strict=True):
        np.testing.assert_array_equal(mine, its)


def test_wide_sparse_tables_are_projected():
    rows = csr_array(random_array((40, 3000), density=0.02, rng=np.random.default_rng(0)))
    found, own = fit(rows, clean=True)
    assert found.looks[0].rows.shape == (40, standard.WIDEST)
    assert np.isfinite(own[0]).all()


def test_saved_looks_see_the_same():
    found, _ = fit(ROWS, clean=False)
    again = Looks.from_state(found.state(), 0)
    for mine, its in zip(found.inputs(ROWS[:20]), again.inputs(ROWS[:20]), strict=True):
        np.testing.assert_array_equal(mine, its)
