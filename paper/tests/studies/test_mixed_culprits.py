"""Spoilt rows of mixed tables: what counts as a hit, and where the printed rates come from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from slad_paper.studies import mixed_culprits

HERE = Path(__file__).parents[2]


def test_the_rates_in_the_docs_are_those_of_the_records() -> None:
    lines = list(mixed_culprits.table(HERE / "results" / "mixed-culprits"))
    printed = (HERE.parent / "docs" / "explanations.md").read_text()
    assert "\n".join(lines) in printed, "slad reproduce mixed-culprits prints them"


def test_the_culprit_is_the_column_that_differs() -> None:
    before = pa.table({"a": [1, 2, 3], "b": ["x", "y", "z"]})
    after = pa.table({"a": [1, 9, 3], "b": ["x", "y", None]})
    assert mixed_culprits._changed(before, after) == [None, "a", "b"]


def test_rows_in_which_nothing_differs_do_not_count() -> None:
    named = [["a", "b"], ["b", "a"], ["a", "b"]]
    hits = list(mixed_culprits._hits("m", named, ["a", "a", None], np.zeros(3, dtype=int)))
    assert [(hit["rows"], hit["top1"], hit["top3"]) for hit in hits] == [(2, 1, 2)]
