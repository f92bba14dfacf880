"""Cells as JSON that every reader takes."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from slad.tables.formats.json_values import to_json


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (float("nan"), "null"),
        ([1.5, float("-inf"), [float("nan")]], "[1.5, null, [null]]"),
        ({"a": {"b": float("inf")}}, '{"a": {"b": null}}'),
        ({1: [True]}, '{"1": [true]}'),
        (b"\x00\xff", '"00ff"'),
        (date(2025, 1, 2), '"2025-01-02"'),
        (datetime(2025, 1, 2, 3, tzinfo=UTC), '"2025-01-02T03:00:00+00:00"'),
        (timedelta(hours=5), '"5:00:00"'),
        (Decimal("1.50"), '"1.50"'),
        ([date(2025, 1, 2)], '["2025-01-02"]'),
    ],
)
def test_what_json_lacks_is_null_or_text_at_any_depth(value: Any, text: str) -> None:
    assert to_json(value) == text
