"""slad info: what it prints of a model."""

from __future__ import annotations

import json


def test_info_says_what_a_model_is(slad, model):
    shown = slad("info", model).out
    for words in ("normal.csv, 150 rows", "knn-5", "known to be normal", "price", "as asked"):
        assert words in shown
    assert json.loads(slad("info", model, "--json").out)["detector"]["name"] == "knn-5"
