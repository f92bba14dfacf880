"""Arrays of many parts under one set of names."""

from __future__ import annotations

import numpy as np

from slad.core.state import joined, parted

ARRAYS = {
    "encoder": {"levels": np.arange(3), "rows.data": np.ones(2)},
    "fold0": {"weights": np.zeros((2, 2))},
}


def test_parts_come_apart_as_they_were_joined():
    together = joined(ARRAYS)
    assert sorted(together) == ["encoder.levels", "encoder.rows.data", "fold0.weights"]
    apart = parted(together)
    assert apart.keys() == ARRAYS.keys()
    for part, arrays in ARRAYS.items():
        assert apart[part].keys() == arrays.keys()
        assert all(apart[part][key] is array for key, array in arrays.items())


def test_a_part_without_arrays_leaves_no_trace():
    assert parted(joined({"empty": {}, **ARRAYS})).keys() == ARRAYS.keys()
    assert parted({}) == joined({}) == {}
