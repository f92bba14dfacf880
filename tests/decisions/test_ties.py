from __future__ import annotations

import numpy as np
import pytest

from slad.decisions import settle_ties, tied_rows


def test_only_rows_that_share_their_score_are_tied():
    assert tied_rows(np.array([1.0, 2.0, 1.0, 3.0])).tolist() == [True, False, True, False]
    assert tied_rows(np.empty(0)).tolist() == []


def test_settled_ties_are_counted_whole_by_a_new_row_that_equals_them():
    by_member = np.array([0.9, 1.0, 1.1, 1.2, 0.8])  # of one row, as five members see it
    held = np.repeat(by_member, 20)
    settled = settle_ties(held, np.full(100, by_member.mean()))
    assert (settled >= by_member.mean()).all()
    assert (held >= by_member.mean()).mean() == pytest.approx(0.6)
