"""Cells as people read them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow")

from slad.tables.kinds.words import show_amount, show_cell


@pytest.mark.parametrize(
    ("show", "value", "text"),
    [
        (show_amount, 9999, "9,999"),
        (show_amount, 0.00012, "0.00012"),
        (show_amount, 1.2e9, "1.2e+09"),
        (show_amount, -1234.56, "-1,235"),
        (show_amount, 41.50, "41.5"),
        (show_amount, 0.0, "0"),
        (show_amount, 3.0, "3"),
        (show_amount, 1e-9, "1e-09"),
        (show_amount, 99999.99, "100,000"),
        (show_amount, float("nan"), "missing"),
        (show_amount, float("-inf"), "minus infinite"),
        (show_amount, Decimal("12.50"), "12.5"),
        (show_amount, np.float32(2.5), "2.5"),
        (show_amount, np.int64(1234), "1,234"),
        (show_amount, timedelta(hours=5), "5:00:00"),
        (show_cell, None, "missing"),
        (show_cell, True, "true"),
        (show_cell, 10115, "10115"),
        (show_cell, 3.0, "3"),
        (show_cell, "", "empty"),
        (show_cell, "two\nlines", "two lines"),
        (show_cell, "x" * 60, "x" * 39 + "…"),
        (show_cell, date(2024, 2, 29), "2024-02-29"),
        (show_cell, datetime(2024, 2, 29, 3, 5), "2024-02-29 03:05"),
        (show_cell, datetime(2024, 2, 29, tzinfo=UTC), "2024-02-29 00:00 UTC"),
    ],
)
def test_a_cell_is_shown_short_and_plain(show, value, text):
    assert show(value) == text


@given(st.floats(-1e300, 1e300))
def test_any_number_is_shown_to_half_a_percent(value):
    shown = float(show_amount(value).replace(",", ""))
    assert shown == pytest.approx(value, rel=5e-3, abs=1e-300)
