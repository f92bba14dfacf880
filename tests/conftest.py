"""Fixtures and hooks of these tests are those of `harness`."""

from harness import data_root, pytest_collection_modifyitems

__all__ = ["data_root", "pytest_collection_modifyitems"]
