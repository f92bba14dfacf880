"""What is drawn of a column."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from small_tables import column

from slad.tables.kinds.pictures import BINS, LEVELS, bars, histogram


def test_one_wild_cell_does_not_flatten_a_histogram() -> None:
    drawn = histogram(np.r_[np.linspace(0, 1, 1000), 1e9, np.nan, np.inf])
    assert len(drawn["counts"]) == BINS
    assert len(drawn["edges"]) == BINS + 1
    assert drawn["edges"][-1] < 1.01
    assert sum(drawn["counts"]) >= 990


def test_where_nearly_all_values_are_the_same_the_others_are_drawn_too() -> None:
    drawn = histogram(np.r_[np.zeros(999), 5.0])
    assert (drawn["edges"][0], drawn["edges"][-1]) == (0.0, 5.0)
    assert (drawn["counts"][0], drawn["counts"][-1]) == (999, 1)


@pytest.mark.parametrize("values", [[], [np.nan, np.inf], [3.0, 3.0]])
def test_there_is_no_histogram_of_one_value_or_none(values: list[float]) -> None:
    assert histogram(np.array(values, dtype=float)) is None


def test_bars_are_the_most_common_values_in_order() -> None:
    cells = column([f"v{at}" for at in range(20)] + ["v7", "v7", "v3", None, None])
    drawn = bars(cells)
    assert drawn["levels"] == ["v7", "v3", *[f"v{at}" for at in range(13) if at not in (3, 7)][:10]]
    assert drawn["counts"] == [3, 2] + [1] * (LEVELS - 2)


def test_bars_show_cells_as_people_read_them() -> None:
    assert bars(column(["two\nlines", "", ""]))["levels"] == ["empty", "two lines"]
    assert bars(column([None], pa.string())) is None
