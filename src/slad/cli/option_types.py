"""What single words on the command line mean."""

from __future__ import annotations

import argparse
import json
from typing import Any


def share(word: str) -> float:
    """A share of one, or with a sign for per cent.

    >>> share("0.01"), share("1%"), share("2.5 %")
    (0.01, 0.01, 0.025)
    """
    number = word.strip().removesuffix("%").strip()
    try:
        value = float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{word!r} is no share: write 0.01 or 1%") from None
    # Divided in text: 2.5 / 100 in floats may end in ...0001.
    return float(f"{number}e-2") if "%" in word and "e" not in number.lower() else value


def whole(word: str) -> int:
    """A whole number, from 1 up.

    >>> whole("20")
    20
    """
    try:
        value = int(word)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is no whole number from 1 up")
    return value


def seed(word: str) -> int:
    """A whole number, from 0 up."""
    if not word.isdecimal():
        raise argparse.ArgumentTypeError(f"{word!r} is no whole number from 0 up")
    return int(word)


def size(word: str) -> int:
    """Bytes, of a number with a unit.

    >>> size("2GB"), size("500 mb")
    (2147483648, 524288000)
    """
    number = word.strip().upper().removesuffix("B").rstrip()
    units = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
    try:
        value = float(number[:-1]) * units[number[-1:]]
    except (KeyError, ValueError):
        raise argparse.ArgumentTypeError(f"{word!r} is no size: write 500MB or 2GB") from None
    return round(value)


def row_numbers(word: str) -> list[int]:
    """Rows, counted from 0 as in the column `row` of the output.

    >>> row_numbers("3,17")
    [3, 17]
    """
    return [seed(part.strip()) for part in word.split(",")]


def parameter(word: str) -> tuple[str, Any]:
    """A detector's parameter; a value that reads as JSON is one, else it is text.

    >>> parameter("epochs=20"), parameter("loss=kl")
    (('epochs', 20), ('loss', 'kl'))
    """
    key, equals, value = word.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"{word!r} is no parameter: write KEY=VALUE")
    try:
        return key.strip(), json.loads(value)
    except json.JSONDecodeError:
        return key.strip(), value
