"""Fixtures and hooks of these tests are those of the library's (`tests/harness.py`)."""

import pytest

from harness import data_root, pytest_collection_modifyitems

__all__ = ["data_root", "everything_at_hand", "pytest_collection_modifyitems"]


@pytest.fixture
def everything_at_hand(monkeypatch):
    """Studies plan as if every dataset were there."""
    monkeypatch.setattr("slad_paper.runner.study.is_here", lambda entry, root: True)
    monkeypatch.setattr("slad_paper.runner.study.verify", lambda entry, root: None)
