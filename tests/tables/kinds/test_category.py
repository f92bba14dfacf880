"""Categories: which columns are, how rare a value is, and among which rows it belongs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from small_tables import column, distances, encoded

from slad.tables import Encoder, plan_columns
from slad.tables.kinds import KINDS, ColumnFacts
from slad.tables.kinds.category import CategoryEncoder

CATEGORY = KINDS["category"]


def recognised(values: list, name: str = "x") -> bool:
    return CATEGORY.recognises(name, ColumnFacts(column(values)))


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


def test_text_is_a_category_up_to_thirty_values_or_while_they_come_back() -> None:
    assert recognised([f"v{at % 30}" for at in range(60)])
    assert not recognised([f"v{at % 31}" for at in range(60)])
    assert recognised([f"v{at % 31}" for at in range(31 * 20)])
    assert not recognised([f"v{at % 31}" for at in range(31 * 20 - 1)])


def test_text_of_different_values_is_a_category_in_few_rows_only() -> None:
    assert recognised([f"v{at}" for at in range(19)])
    assert not recognised([f"v{at}" for at in range(20)])


def test_whole_numbers_are_a_category_only_where_named_like_a_key() -> None:
    assert recognised([1, 2, 1], "shop_id")
    assert not recognised([1, 2, 1], "shops")
    assert not recognised([1.0, 2.0], "shop_id")
    assert "named like a key" in CATEGORY.note(ColumnFacts(column([1, 2])))
    assert CATEGORY.note(ColumnFacts(column(["a"]))) == ""


def test_values_have_no_place_without_other_columns_that_differ() -> None:
    cells = column(["a", "a", "b", "b"])
    encoder = CategoryEncoder.fit(cells)
    assert encoder.beside(cells, list).width == 1
    assert encoder.beside(cells, lambda: [np.zeros((4, 2))]).width == 1
    assert encoder.transform(cells).tolist() == [[0.0]] * 4


def test_values_of_like_rows_are_near_each_other() -> None:
    cells = column(["a", "b", "c"] * 40)
    others = np.tile([1.0, 1.1, -2.0], 40)[:, None]
    encoder = CategoryEncoder.fit(cells).beside(cells, lambda: [others])
    a, b, c = encoder.transform(cells)[:3, 0]
    assert abs(a - b) < 0.1 * abs(a - c)
    assert max(a, b, c, key=abs) > 0


def test_a_category_goes_through_its_state() -> None:
    cells = column(["a", "b", None] * 10)
    encoder = CategoryEncoder.fit(cells).beside(
        cells, lambda: [np.tile([1.0, -1.0, 0.0], 10)[:, None]]
    )
    again = CategoryEncoder.from_state(encoder.state())
    later = column(["b", "new", None])
    assert encoder.width == 2
    assert np.array_equal(again.transform(later), encoder.transform(later))
