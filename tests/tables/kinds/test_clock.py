"""Times as seconds, positions and parts of cycles."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import numpy as np
import pyarrow as pa
import pytest
from small_tables import column, encoded

from slad.tables import Encoder, plan_columns
from slad.tables.kinds.clock import DAY, as_seconds, part_of, position_of, turning, varies


def test_only_cycles_that_turned_twice_and_vary_are_used() -> None:
    dates = [date(2025, 1, 1) + timedelta(days=at) for at in range(30)]
    assert encoded(dates, dates)[0].shape[1] == 1 + 2  # weekday
    hours = [datetime(2025, 1, 1) + timedelta(hours=at) for at in range(72)]
    assert encoded(hours, hours)[0].shape[1] == 1 + 2  # hour
    years = [date(2000, 1, 1) + timedelta(days=40 * at) for at in range(50)]
    assert encoded(years, years)[0].shape[1] == 1 + 6  # weekday, day, month


def test_hours_are_those_of_the_columns_own_zone() -> None:
    summer = [datetime(2025, 7, 1) + timedelta(hours=at) for at in range(72)]
    frames = [
        pa.table({"x": pa.array(summer, pa.timestamp("s", zone))}) for zone in ("UTC", "Asia/Tokyo")
    ]
    utc, tokyo = (Encoder.fit(each, plan_columns(each)).transform(each) for each in frames)
    assert np.allclose(np.roll(utc[:, 1], -9)[:60], tokyo[:60, 1])


@pytest.mark.parametrize(
    ("type_", "cell", "seconds"),
    [
        (pa.timestamp("s"), 90, 90.0),
        (pa.timestamp("ms", "Asia/Tokyo"), 1500, 1.5),
        (pa.timestamp("ns"), -500_000_000, -0.5),
        (pa.date32(), 2, 2 * DAY),
        (pa.time32("ms"), 1500, 1.5),
        (pa.time64("ns"), 3_000_000_000, 3.0),
    ],
)
def test_every_type_of_time_is_counted_in_seconds(
    type_: pa.DataType, cell: int, seconds: float
) -> None:
    assert np.array_equal(
        as_seconds(column([cell, None], type_)), [seconds, np.nan], equal_nan=True
    )


def test_positions_after_the_end_stay_at_the_end_for_one_more_span() -> None:
    seconds = np.array([90.0, 100.0, 150.0, 200.0, 300.0, 310.0, np.nan])
    positions = position_of(seconds, start=100.0, span=100.0)
    assert positions[:-1].tolist() == pytest.approx([-0.1, 0.0, 0.5, 1.0, 1.0, 1.1])
    assert np.isnan(positions[-1])


def test_parts_of_a_cycle_begin_at_midnight_monday_the_first_and_january() -> None:
    cells = column([datetime(2024, 1, 1), datetime(2024, 12, 31, 18), None])  # a Monday, a Tuesday
    assert part_of(cells, "hour")[:2].tolist() == [0.0, 0.75]
    assert part_of(cells, "weekday")[:2].tolist() == pytest.approx([0, 1 / 7])
    assert part_of(cells, "day")[:2].tolist() == pytest.approx([0, 30 / 31])
    assert part_of(cells, "month")[:2].tolist() == pytest.approx([0, 11 / 12])
    assert all(np.isnan(part_of(cells, name)[2]) for name in ("hour", "weekday", "day", "month"))


def test_parts_are_those_of_the_local_day() -> None:
    late = column([datetime(2024, 1, 1, 20, tzinfo=UTC)], pa.timestamp("s", "Asia/Tokyo"))
    assert part_of(late, "hour").tolist() == pytest.approx([5 / 24])
    assert part_of(late, "weekday").tolist() == pytest.approx([1 / 7])


def test_a_date_has_no_hour_and_a_time_of_day_nothing_else() -> None:
    assert part_of(column([date(2024, 5, 6)]), "hour").tolist() == [0.0]
    assert part_of(column([time(6)]), "hour").tolist() == [0.25]
    assert turning(pa.time32("s"), 0.0, lambda name: True) == ("hour",)


def test_a_cycle_is_used_from_two_turns_on() -> None:
    stamp = pa.timestamp("s")
    assert turning(stamp, 2 * DAY - 1, lambda name: True) == ()
    assert turning(stamp, 2 * DAY, lambda name: True) == ("hour",)
    assert turning(stamp, 14 * DAY, lambda name: name != "hour") == ("weekday",)


def test_a_part_varies_where_two_values_that_are_there_differ() -> None:
    found = [varies(np.array(part)) for part in ([0.1, 0.2], [0.1, np.nan, 0.1], [np.nan], [])]
    assert found == [True, False, False, False]
