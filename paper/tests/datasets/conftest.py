"""No test here waits between tries, or reaches past this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from servers import Behaviour, serving
from toys import CONTENT

from slad_paper.datasets import download


@pytest.fixture(autouse=True)
def _quick(monkeypatch) -> None:
    monkeypatch.setattr(download, "WAITS", (0.0, 0.0, 0.0))
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Iterator[Behaviour]:
    with serving(Behaviour(CONTENT)) as behaviour:
        yield behaviour
