"""Fixtures and hooks of these tests are those of the library's (`tests/harness.py`)."""

from harness import data_root, pytest_collection_modifyitems

__all__ = ["data_root", "pytest_collection_modifyitems"]
