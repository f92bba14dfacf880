"""A command does its work once: one detector per fold, a table conformed once."""

from __future__ import annotations

from collections import Counter

import pytest

from slad.detectors import KNN
from slad.model import conformed_table

FAST = ("--detector", "knn-5", "--id", "order", "--drop", "fraud")


@pytest.fixture
def calls(monkeypatch) -> Counter[str]:
    """How often a detector is built, and a table conformed."""
    counted: Counter[str] = Counter()
    for owner, name in ((KNN, "__init__"), (conformed_table, "conform")):
        whole = getattr(owner, name)

        def call(*given, whole=whole, name=name, **named):
            counted[name] += 1
            return whole(*given, **named)

        call.__wrapped__ = whole  # scikit-learn reads the signature
        monkeypatch.setattr(owner, name, call)
    return counted


def test_detect_builds_one_detector_per_fold_and_conforms_the_table_once(slad, table, calls):
    assert slad("detect", table, *FAST).code == 0
    assert calls == {"__init__": 5, "conform": 1}


def test_score_and_explain_conform_the_table_once(slad, table, calls):
    assert slad("fit", table, *FAST, "--out", "m.slad").code == 0
    for command in ("score", "explain"):
        calls.clear()
        assert slad(command, "m.slad", table).code == 0
        assert calls["conform"] == 1
