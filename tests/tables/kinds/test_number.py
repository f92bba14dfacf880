"""Numbers as features, and their usual range."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from small_tables import column, distances, encoded

from slad.core.state import State
from slad.engines.summary import ColumnSummary
from slad.explain import sentence
from slad.tables.kinds import KINDS, ColumnFacts, usual_values
from slad.tables.kinds.number import NumberEncoder, as_floats, median_of, range_of


def test_a_value_missing_where_none_ever_was_is_far_off() -> None:
    train, later = encoded([float(at % 10) for at in range(100)], [4.0, None])
    assert train.shape[1] == 1
    usual, missing = distances(train, later)
    assert usual == 0
    assert missing > 3


def test_a_missing_value_among_many_is_not_far_off() -> None:
    train, later = encoded([float(at) if at % 2 else None for at in range(100)], [None, 51.0])
    assert train.shape[1] == 2
    assert distances(train, later).max() < 0.1


def test_infinite_values_are_beyond_the_range_by_its_width() -> None:
    _, later = encoded([0.0, 1.0, 2.0, 10.0], [np.inf, -np.inf, 5.0])
    assert later[:, 0].tolist() == [20.0, -10.0, 5.0]


def test_one_wild_cell_does_not_hide_another_that_is_far_off() -> None:
    usual = [float(1950 + at % 60) for at in range(300)]
    train, later = encoded([*usual, 1960e6], [19.0, 1960.0, 1960e6])
    spread = train.std()
    assert abs(later[0, 0] - later[1, 0]) > 5 * spread
    assert later[1, 0] == 1960
    assert later[2, 0] > train.mean() + 5 * spread


def test_values_stay_where_no_training_value_was_far_off() -> None:
    usual = [float(at % 10) for at in range(100)]
    assert encoded(usual, [4e6])[1].tolist() == [[4e6]]
    assert NumberEncoder.fit(column(usual)).fences is None


def test_gaps_and_infinities_are_beyond_wild_cells_too() -> None:
    wild = [*[float(at % 10) for at in range(100)], 1e6]
    rows = NumberEncoder.fit(column(wild)).transform(column([None, np.inf, -np.inf, 1e6, 0.0]))
    gap, above, below, high, low = rows[:, 0]
    assert gap == above == pytest.approx(high + (high - low))
    assert below == pytest.approx(low - (high - low))


def test_a_saved_encoder_keeps_its_fences_and_one_of_before_has_none() -> None:
    encoder = NumberEncoder.fit(column([*[float(at % 10) for at in range(100)], 1e6]))
    assert encoder.fences is not None
    state = encoder.state()
    assert NumberEncoder.from_state(state) == encoder
    before = {name: value for name, value in state.values.items() if name != "fences"}
    assert NumberEncoder.from_state(State(before, {})).fences is None


def test_the_largest_numbers_stay_finite() -> None:
    train, later = encoded([1e308, -1e308, 0.0], [np.inf, -np.inf, 1.7e308])
    assert np.isfinite(train).all()
    assert np.isfinite(later).all()


def test_years_have_no_separator_and_other_whole_numbers_do():
    years = usual_values(column(list(range(1950, 2020))), "number")
    assert years.show(2019) == "2019"
    assert years.text.startswith("195")
    assert sentence(["built"], [1850], [years]).startswith("built is 1850 (usually 195")
    counts = usual_values(column(list(range(950, 3020))), "number")
    assert counts.show(2019) == "2,019"


def test_decimals_far_outside_are_measured():
    usual = usual_values(column([Decimal(at) / 4 for at in range(101)]), "number")
    assert usual.excess(Decimal(48)) == pytest.approx((48 - usual.high) / (usual.high - usual.low))


@pytest.mark.parametrize(
    ("cells", "floats"),
    [
        (column([1, None], pa.int8()), [1.0, np.nan]),
        (column([True, False, None]), [1.0, 0.0, np.nan]),
        (column([Decimal("1.25"), None]), [1.25, np.nan]),
        (column([timedelta(seconds=2)], pa.duration("ms")), [2000.0]),
        (column([2**63 - 1]), [2.0**63]),
    ],
)
def test_every_type_of_number_is_a_float(cells: pa.ChunkedArray, floats: list[float]) -> None:
    assert np.array_equal(as_floats(cells), floats, equal_nan=True)


def test_the_median_is_that_of_finite_numbers() -> None:
    assert median_of(np.array([np.nan, 1, 3, np.inf]), otherwise=9.0) == 2.0
    assert median_of(np.array([np.nan, np.inf]), otherwise=9.0) == 9.0


def test_a_column_of_gaps_is_encoded_as_zeros() -> None:
    encoder = NumberEncoder.fit(column([None, None], pa.float64()))
    assert encoder == NumberEncoder(0.0, 0.0, 0.0, missing=1.0)
    rows = encoder.transform(column([None, 5.0]))
    assert rows[0].tolist() == [0.0, 0.0]
    assert np.isfinite(rows).all()


def test_what_is_more_usual_a_gap_or_a_value_has_no_signal() -> None:
    rows = NumberEncoder.fit(column([1.0, None, None, None])).transform(column([1.0, None]))
    assert rows[:, 1].tolist() == pytest.approx([np.log(3), 0])


@pytest.mark.parametrize(
    "values",
    [
        [3.0, None, 1.0, 2.0],
        [1, 2, 9],
        [float("inf"), 1.0, 2.0],
        [None, None],
        [*map(float, range(50)), 1e9],
    ],
)
def test_a_stream_gives_the_encoder_of_the_table(values: list) -> None:
    cells = column(values, pa.int64() if values == [1, 2, 9] else pa.float64())
    summary = ColumnSummary(cells.type, levels=False)
    summary.add(cells)
    assert NumberEncoder.of_summary(summary, cells) == NumberEncoder.fit(cells)


def test_a_range_has_the_digits_that_tell_its_numbers_apart() -> None:
    assert range_of(column([1.0, 2.0, 3.0]))["digits"] == 4
    assert range_of(column([1e6 + at / 100 for at in range(101)]))["digits"] == 9
    assert range_of(column([5.5] * 3))["digits"] == 4


def test_a_range_of_whole_numbers_is_whole() -> None:
    found = range_of(column([1.0, 2.0, 4.0, 5.0]))
    assert all(isinstance(found[name], int) for name in ("low", "middle", "high"))


def test_whole_numbers_named_like_a_key_are_no_numbers() -> None:
    kind = KINDS["number"]
    assert kind.recognises("shops", ColumnFacts(column([1, 2])))
    assert not kind.recognises("shop_id", ColumnFacts(column([1, 2])))
    assert kind.recognises("shop_id", ColumnFacts(column([1.5, 2])))
