"""Dataclasses as JSON values, and back with errors that name the place."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from math import isfinite
from typing import Any, Union, get_args, get_origin, get_type_hints

from slad.core.errors import DataError

_NAMES = {
    str: "text",
    int: "a whole number",
    float: "a finite number",
    bool: "true or false",
    list: "a list",
    tuple: "a list",
    dict: "an object",
    type(None): "null",
}


def to_json(value: Any) -> Any:
    """Dataclasses as objects, tuples as lists; everything else as it is.

    A field that is None is omitted if None is its default.
    """
    if is_dataclass(value) and not isinstance(value, type):
        given = {field.name: (getattr(value, field.name), field.default) for field in fields(value)}
        return {
            name: to_json(each)
            for name, (each, default) in given.items()
            if each is not None or default is not None
        }
    if isinstance(value, dict):
        return {name: to_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(each) for each in value]
    return value


def from_json(kind: Any, value: Any, place: str) -> Any:
    """A value of the annotated type `kind`; `place` names it in errors.

    Keys that a dataclass does not have are ignored.

    >>> from_json(dict[str, list[int]], {"counts": [1, "two"]}, "scores")
    Traceback (most recent call last):
    slad.core.errors.DataError: scores.counts[1] is 'two', expected a whole number
    """
    if kind is Any:
        return value
    if is_dataclass(kind):
        return _object(kind, value, place)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return from_json(_matching(arguments, value), value, place)
    if origin is list:
        _expect(isinstance(value, list), list, value, place)
        return [from_json(arguments[0], each, f"{place}[{at}]") for at, each in enumerate(value)]
    if origin is tuple:
        return _tuple(arguments, value, place)
    if origin is dict:
        _expect(isinstance(value, dict), dict, value, place)
        return {key: from_json(arguments[1], each, f"{place}.{key}") for key, each in value.items()}
    if kind is float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        _expect(number and isfinite(value), float, value, place)
        return value
    _expect(
        isinstance(value, kind) and (kind is bool) == isinstance(value, bool), kind, value, place
    )
    return value


def _object(kind: Any, value: Any, place: str) -> Any:
    _expect(isinstance(value, dict), dict, value, place)
    hints: dict[str, Any] = _hints(kind)
    needed = [f.name for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING]
    if missing := [name for name in needed if name not in value]:
        raise DataError(f"{place} lacks {', '.join(missing)}")
    given = {name: hint for name, hint in hints.items() if name in value}
    parts = {name: from_json(hint, value[name], f"{place}.{name}") for name, hint in given.items()}
    try:
        return kind(**parts)
    except DataError as error:
        raise DataError(f"{place} {error}") from None


_hints: Callable[[Any], dict[str, Any]] = cache(get_type_hints)


def _tuple(arguments: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    _expect(isinstance(value, list | tuple), tuple, value, place)
    if arguments[-1] is Ellipsis:
        arguments = (arguments[0],) * len(value)
    if len(value) != len(arguments):
        raise DataError(f"{place} has {len(value)} entries, expected {len(arguments)}")
    return tuple(
        from_json(each, one, f"{place}[{at}]")
        for at, (each, one) in enumerate(zip(arguments, value, strict=True))
    )


def _matching(alternatives: tuple[Any, ...], value: Any) -> Any:
    """The alternative that a value is meant to be: null, or the dataclass with its keys."""
    if value is None and type(None) in alternatives:
        return type(None)
    others = [each for each in alternatives if each is not type(None)]
    keys = set(value) if isinstance(value, dict) else set()
    whole = [each for each in others if is_dataclass(each) and keys >= _hints(each).keys()]
    return (whole or others)[0]


def _expect(fits: bool, kind: type, value: Any, place: str) -> None:
    if not fits:
        shown = repr(value)
        shown = shown if len(shown) <= 60 else f"{shown[:60]}..."
        raise DataError(f"{place} is {shown}, expected {_NAMES[kind]}")
