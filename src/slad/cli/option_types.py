"""Types of option values: text from the command line to a checked value."""

from __future__ import annotations

import argparse
import json
from typing import Any


def fraction(text: str) -> float:
    """A fraction, plain or in per cent.

    >>> fraction("0.01"), fraction("1%"), fraction("2.5 %")
    (0.01, 0.01, 0.025)
    """
    number = text.strip().removesuffix("%").strip()
    try:
        value = float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a fraction; use 0.01 or 1%") from None
    # Divided in text: 2.5 / 100 in floats may end in ...0001.
    return float(f"{number}e-2") if "%" in text and "e" not in number.lower() else value


def positive_integer(text: str) -> int:
    """A whole number of at least 1.

    >>> positive_integer("20")
    20
    """
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return value


def seed(text: str) -> int:
    """A whole number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def byte_size(text: str) -> int:
    """A number of bytes, written with its unit.

    >>> byte_size("2GB"), byte_size("500 mb")
    (2147483648, 524288000)
    """
    number = text.strip().upper().removesuffix("B").rstrip()
    units = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
    try:
        value = float(number[:-1]) * units[number[-1:]]
    except (KeyError, ValueError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size; use 500MB or 2GB") from None
    return round(value)


def size_text(n_bytes: float) -> str:
    """A number of bytes as text.

    >>> size_text(2 * 2**30), size_text(10_000)
    ('2 GB', '9.77 KB')
    """
    unit, factor = next(
        (unit, factor)
        for unit, factor in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10))
        if n_bytes >= factor or unit == "KB"
    )
    return f"{n_bytes / factor:.3g} {unit}"


def row_numbers(text: str) -> list[int]:
    """Row numbers, which count from 1 as in the column `row` of the output.

    Whether the table has these rows is known only when it is read.

    >>> row_numbers("3,17")
    [3, 17]
    """
    numbers = [part.strip() for part in text.split(",")]
    if not all(number.isdecimal() for number in numbers):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of row numbers; use 3,17")
    return [int(number) for number in numbers]


def parameter(text: str) -> tuple[str, Any]:
    """A detector's parameter. A value that is valid JSON is read as JSON, any other as text.

    >>> parameter("epochs=20"), parameter("loss=kl")
    (('epochs', 20), ('loss', 'kl'))
    """
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not a parameter; use KEY=VALUE")
    try:
        return key.strip(), json.loads(value)
    except json.JSONDecodeError:
        return key.strip(), value
