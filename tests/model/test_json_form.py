"""Dataclasses as JSON values, and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from slad.core.errors import DataError
from slad.model.json_form import from_json, to_json


@dataclass
class Point:
    x: float
    names: tuple[str, ...] = ()


@dataclass
class Circle:
    radius: float


@dataclass
class Drawing:
    shapes: list[Point | Circle | None]
    more: dict[str, Any] = field(default_factory=dict)


def test_a_dataclass_becomes_objects_and_lists_and_comes_back() -> None:
    drawing = Drawing([Point(1, ("a", "b")), Circle(2.5), None], {"scale": [1, "x"]})
    values = to_json(drawing)
    assert values == {
        "shapes": [{"x": 1, "names": ["a", "b"]}, {"radius": 2.5}, None],
        "more": {"scale": [1, "x"]},
    }
    assert from_json(Drawing, values, "drawing") == drawing


def test_a_field_that_is_none_is_omitted_if_that_is_its_default() -> None:
    @dataclass
    class Shape:
        edges: list[int] | None
        axis: str | None = None

    assert to_json(Shape(None)) == {"edges": None}
    assert to_json(Shape(None, "time")) == {"edges": None, "axis": "time"}


def test_fields_with_a_default_may_be_missing_and_further_keys_are_ignored() -> None:
    assert from_json(Point, {"x": 1.5, "colour": "red"}, "point") == Point(1.5)


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (Point, [], r"place is \[\], expected an object"),
        (Point, {}, "place lacks x"),
        (list[int], [1, 2.5], r"place\[1\] is 2\.5, expected a whole number"),
        (list[int], [False], r"place\[0\] is False, expected a whole number"),
        (float, float("inf"), "place is inf, expected a finite number"),
        (str | None, 5, "place is 5, expected text"),
        (tuple[str, str], ["a"], "place has 1 entries, expected 2"),
        (bool, "x" * 99, r"place is 'x{59}\.\.\., expected true or false"),
    ],
)
def test_a_wrong_value_is_named(kind: Any, value: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        from_json(kind, value, "place")
