"""Models that several modules here judge and explain with."""

from __future__ import annotations

import pytest
from made_up_orders import FAST, orders

from slad import TableDetector


@pytest.fixture(scope="session")
def model() -> TableDetector:
    return TableDetector(FAST, level=0.05).fit(orders(400))


@pytest.fixture(scope="session")
def trained() -> TableDetector:
    return TableDetector("slad", level=0.05, parameters={"epochs": 3}).fit(orders(300))
