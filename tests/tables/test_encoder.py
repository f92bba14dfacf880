"""What the numbers say about a row."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from itertools import pairwise

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import ArtifactError, DataError  # noqa: E402
from slad.core.state import State  # noqa: E402
from slad.tables import Encoder, plan_columns  # noqa: E402


def encoded(train: list, later: list, **options: list) -> tuple[np.ndarray, np.ndarray]:
    """(training rows, later rows) of a table of one column."""
    first = pa.table({"x": pa.array(train, from_pandas=True)})
    second = pa.table({"x": pa.array(later, first.schema.field("x").type, from_pandas=True)})
    encoder = Encoder.fit(first, plan_columns(first, **options))
    return encoder.transform(first), encoder.transform(second)


def distances(train: np.ndarray, later: np.ndarray) -> np.ndarray:
    """To the nearest training row, with columns scaled as the detectors do."""
    spread = train.std(axis=0)
    spread[spread == 0] = 1
    apart = (later[:, None] - train[None]) / spread
    return np.sqrt((np.clip(apart, -10, 10) ** 2).sum(axis=2)).min(axis=1)


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


def test_the_largest_numbers_stay_finite() -> None:
    train, later = encoded([1e308, -1e308, 0.0], [np.inf, -np.inf, 1.7e308])
    assert np.isfinite(train).all()
    assert np.isfinite(later).all()


def test_a_level_that_never_came_is_far_off_and_a_rare_one_is_rarer_than_a_common_one() -> None:
    values = ["a"] * 60 + ["b"] * 30 + ["c"] * 8 + ["d"] * 2
    train, later = encoded(values, ["a", "b", "d", "new", None])
    rarity = later[:, -1]
    assert rarity[0] == 0
    assert rarity[0] < rarity[1] < rarity[2] < rarity[3]
    assert distances(train, later)[3:].min() > 1.5


def test_a_value_among_rows_of_another_is_far_off_however_common_both_are() -> None:
    rng = np.random.default_rng(0)
    kinds = np.repeat(["small", "large", "huge"], 100)
    sizes = np.repeat([1.0, 5.0, 9.0], 100) + rng.normal(size=300) / 10
    frame = pa.table({"kind": kinds, "size": sizes})
    later = pa.table({"kind": ["small", "small", "huge"], "size": [1.0, 9.0, 1.0]})
    encoder = Encoder.fit(frame, plan_columns(frame))
    right, *wrong = distances(encoder.transform(frame), encoder.transform(later))
    assert right < 0.1
    assert min(wrong) > 1


def test_where_every_text_is_new_a_new_one_is_nothing_strange() -> None:
    words = ["the", "late", "order", "came", "with", "no", "paper", "from", "shop"]
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(words, 5)) + f" {at}" for at in range(300)]
    train, later = encoded(texts[:200], texts[200:])
    assert later[:, -1].max() == 0
    _, odd = encoded(texts[:200], ["%%%###@@@!!!", "ЖЖЖ ЩЩЩ ЮЮЮ", "x" * 500, ""])
    assert distances(train, odd).min() > 2 * np.quantile(distances(train, later), 0.95)


def test_later_times_are_the_end_up_to_one_more_span() -> None:
    days = [datetime(2025, 1, 1) + timedelta(days=at) for at in range(11)]
    _, later = encoded(
        days, [datetime(2025, 1, 11), datetime(2025, 1, 20), datetime(2025, 2, 10), days[0]]
    )
    assert later[:, 0].tolist() == [1.0, 1.0, 3.0, 0.0]
    before = encoded(days, [datetime(2024, 12, 22)])[1]
    assert before[0, 0] == -1


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


def test_a_time_of_day_goes_round() -> None:
    _, later = encoded(
        [time(at % 24, at) for at in range(48)], [time(23, 59), time(0, 1), time(12)]
    )
    angles = later[:, -2:]
    assert np.linalg.norm(angles[0] - angles[1]) < 0.05
    assert np.linalg.norm(angles[0] - angles[2]) > 1.9


def test_a_row_does_not_depend_on_the_others(mixed: pa.Table) -> None:
    encoder = Encoder.fit(mixed, plan_columns(mixed))
    whole = encoder.transform(mixed)
    order = np.random.default_rng(0).permutation(mixed.num_rows)
    assert np.array_equal(encoder.transform(mixed.take(order)), whole[order])
    for at in (0, 7, mixed.num_rows - 1):
        assert np.array_equal(encoder.transform(mixed.slice(at, 1)), whole[[at]])


def test_the_blocks_of_columns_cover_the_features_in_order(mixed: pa.Table) -> None:
    plan = plan_columns(mixed)
    encoder = Encoder.fit(mixed, plan)
    assert [each.name for each in encoder.columns] == [each.name for each in plan if each.used]
    edges = [each.start for each in encoder.columns] + [encoder.columns[-1].stop]
    assert edges[0] == 0
    assert all(low < high for low, high in pairwise(edges))
    assert encoder.transform(mixed).shape == (mixed.num_rows, edges[-1])


def test_one_column_block_hangs_on_its_column_alone(mixed: pa.Table) -> None:
    plan = plan_columns(mixed)
    encoder = Encoder.fit(mixed, plan)
    first = encoder.columns[0]
    alone = Encoder.fit(mixed, [each for each in plan if each.name == first.name])
    assert np.array_equal(
        alone.transform(mixed), encoder.transform(mixed)[:, first.start : first.stop]
    )


def test_a_table_without_a_usable_column_is_refused_with_the_reasons() -> None:
    frame = pa.table({"a": [1], "b": [None]})
    with pytest.raises(DataError, match=r"a: left out: always '1'; b: left out: no values"):
        Encoder.fit(frame, plan_columns(frame))


def test_the_state_of_another_version_is_refused(mixed: pa.Table) -> None:
    values, arrays = Encoder.fit(mixed, plan_columns(mixed)).state()
    with pytest.raises(ArtifactError, match="format 99"):
        Encoder.from_state(State(values | {"format": 99}, arrays))
    with pytest.raises(ArtifactError, match="incomplete"):
        Encoder.from_state(State(values, {}))


@pytest.fixture
def mixed() -> pa.Table:
    rng = np.random.default_rng(3)
    words = np.array(["late", "paper", "shop", "order", "Straße", "2025"])
    start = datetime(2024, 1, 1)
    return pa.table(
        {
            "amount": pa.array(rng.normal(size=90), mask=rng.random(90) < 0.1),
            "flag": rng.random(90) < 0.3,
            "colour": pa.array(rng.choice(["r", "g", "b"], 90), mask=rng.random(90) < 0.1),
            "comment": [" ".join(rng.choice(words, 6)) for _ in range(90)],
            "at": [start + timedelta(hours=int(at)) for at in rng.integers(0, 20_000, 90)],
        }
    )
