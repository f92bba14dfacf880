"""Times as features, and usual hours and weekdays."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

import numpy as np
import pyarrow as pa
import pytest
from small_tables import column, encoded, through_json

from slad.engines.summary import ColumnSummary
from slad.tables.kinds import KINDS, usual_values
from slad.tables.kinds.time import TimeEncoder

MONDAY = datetime(2024, 1, 1)
OFFICE = column(
    [MONDAY + timedelta(days=7 * (at // 5) + at % 5, hours=9 + at % 8) for at in range(80)]
)
"""Monday to Friday, nine to five."""


def test_later_times_are_the_end_up_to_one_more_span() -> None:
    days = [datetime(2025, 1, 1) + timedelta(days=at) for at in range(11)]
    _, later = encoded(
        days, [datetime(2025, 1, 11), datetime(2025, 1, 20), datetime(2025, 2, 10), days[0]]
    )
    assert later[:, 0].tolist() == [1.0, 1.0, 3.0, 0.0]
    before = encoded(days, [datetime(2024, 12, 22)])[1]
    assert before[0, 0] == -1


def test_a_time_of_day_goes_round() -> None:
    _, later = encoded(
        [time(at % 24, at) for at in range(48)], [time(23, 59), time(0, 1), time(12)]
    )
    angles = later[:, -2:]
    assert np.linalg.norm(angles[0] - angles[1]) < 0.05
    assert np.linalg.norm(angles[0] - angles[2]) > 1.9


def test_times_with_nanoseconds_and_zones_are_read():
    stamps = pa.array(np.arange(100).astype("datetime64[ns]"))
    assert usual_values(pa.chunked_array([stamps]), "time").text == "mostly 1970-01-01 00:00"
    zoned = column([datetime(2024, 1, 1, tzinfo=UTC)], pa.timestamp("us", tz="Europe/Berlin"))
    assert usual_values(zoned, "time").text == "mostly 2024-01-01 01:00+01:00"


def test_a_missing_time_is_in_the_middle_of_the_circle() -> None:
    encoder = TimeEncoder.fit(column([time(at) for at in range(24)]))
    rows = encoder.transform(column([None, time(6)], pa.time64("us")))
    assert rows[0, -2:].tolist() == [0.0, 0.0]
    assert rows[1, -2:].tolist() == pytest.approx([1.0, 0.0])


def test_a_single_time_has_a_day_for_its_span() -> None:
    encoder = TimeEncoder.fit(column([MONDAY, None]))
    assert (encoder.span, encoder.cycles) == (86_400.0, ())
    assert encoder.transform(column([MONDAY - timedelta(hours=12)]))[0, 0] == -0.5
    nothing = TimeEncoder.fit(column([None], pa.timestamp("s")))
    assert np.isfinite(nothing.transform(OFFICE.cast(pa.timestamp("s")))).all()


@pytest.mark.parametrize(
    "cells",
    [OFFICE, column([date(2024, 1, 1), None, date(2024, 3, 1)]), column([time(3), time(9)])],
)
def test_a_stream_and_a_saved_state_give_the_encoder_of_the_table(cells: pa.ChunkedArray) -> None:
    encoder = TimeEncoder.fit(cells)
    summary = ColumnSummary(cells.type, levels=False)
    summary.add(cells)
    assert TimeEncoder.of_summary(summary, cells) == encoder
    assert TimeEncoder.from_state(encoder.state()) == encoder


def test_usual_hours_and_weekdays_are_remarked_where_a_time_is_in_the_range() -> None:
    usual = usual_values(OFFICE, "time")
    assert (usual.hours, usual.weekdays) == ((9, 16), (0, 1, 2, 3, 4))
    assert usual.remark(MONDAY + timedelta(days=8, hours=10), own=False) is None
    assert usual.remark(MONDAY + timedelta(days=6), own=False) == (
        "a Sunday (usually Monday to Friday)"
    )
    assert usual.remark(MONDAY + timedelta(days=8, hours=3), own=False) == (
        "outside the usual hours (09:00 to 16:59)"
    )
    assert usual.remark(datetime(2030, 1, 6), own=False) is None  # its year says more
    assert through_json(usual) == usual


def test_weekdays_need_fifty_rows_and_hours_more_than_midnight() -> None:
    few = usual_values(OFFICE[:49], "time")
    assert few.weekdays is None
    midnights = usual_values(column([MONDAY + timedelta(days=at) for at in range(60)]), "time")
    assert midnights.hours is None
    assert midnights.weekdays == (0, 1, 2, 3, 4, 5, 6)


def test_weekdays_apart_are_listed() -> None:
    days = [date(2024, 1, 1) + timedelta(days=7 * at) for at in range(40)]
    usual = usual_values(column(days + [day + timedelta(days=3) for day in days]), "time")
    assert usual.remark(date(2024, 1, 3), own=False) == "a Wednesday (usually Monday or Thursday)"


def test_the_histogram_is_marked_as_one_of_times() -> None:
    drawn = KINDS["time"].picture(OFFICE)
    assert drawn["axis"] == "time"
    assert drawn["edges"][0] == pytest.approx(datetime(2024, 1, 1, tzinfo=UTC).timestamp(), abs=1e6)
    assert KINDS["time"].picture(column([MONDAY])) is None
