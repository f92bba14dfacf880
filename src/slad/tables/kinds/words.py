"""Cells and fractions as people read them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import floor, isfinite, isnan, log10
from numbers import Integral, Real
from typing import Any

LONGEST = 40
"""Characters of a text that are shown."""
DIGITS = 4
"""Significant digits of a number, unless its column needs more to tell values apart."""
MISSING = "missing"


def is_missing(value: Any) -> bool:
    """None, NaN, or the missing time of pandas."""
    return value is None or bool(value != value)


def show_cell(value: Any) -> str:
    """A cell as short text; numbers are codes, digit by digit.

    >>> show_cell(None), show_cell(10115), show_cell(True), show_cell("two\\nlines")
    ('missing', '10115', 'true', 'two lines')
    """
    if is_missing(value):
        return MISSING
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime | date | time):
        return _moment(value)
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # a code that was read as a number
    return shorten(str(value))


def show_amount(value: Any, digits: int = DIGITS) -> str:
    """The cell of a column of numbers: a duration as such, all else as a number.

    >>> show_amount(9999), show_amount(0.000123), show_amount(1.2e9)
    ('9,999', '0.000123', '1.2e+09')
    """
    if isinstance(value, Real | Decimal) and not is_missing(value):
        return show_number(value, digits)
    return show_cell(value)


def show_number(value: Any, digits: int = DIGITS) -> str:
    """With so many significant digits, thousands apart; whole numbers whole."""
    if isinstance(value, Integral) and abs(int(value)) < 10**15:
        return f"{int(value):,}"
    number = float(value)
    if isnan(number):
        return MISSING
    if not isfinite(number):
        return "infinite" if number > 0 else "minus infinite"
    if number == 0:
        return "0"
    places = digits - 1 - floor(log10(abs(number)))
    if places > digits + 3 or abs(number) >= 10 ** max(9, digits):
        return f"{number:.{max(3, digits - 1)}g}"
    text = f"{number:,.{max(0, places)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def shorten(text: str, longest: int = LONGEST) -> str:
    """In one line, cut with an ellipsis; a text without letters is "empty"."""
    line = " ".join(text.split())
    if not line:
        return "empty"
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def show_share(share: float) -> str:
    """A fraction as a percentage that never rounds to nothing or to all.

    >>> show_share(0.618), show_share(0.0004), show_share(0.9996)
    ('62 %', 'under 0.1 %', 'over 99.9 %')
    """
    percent = 100 * share
    if 0 < percent < 0.1:
        return "under 0.1 %"
    if 99.9 < percent < 100:
        return "over 99.9 %"
    fine = 0 < percent < 9.95 or 99 < percent < 100
    return f"{percent:.1f}".removesuffix(".0") + " %" if fine else f"{percent:.0f} %"


def _moment(value: datetime | date | time) -> str:
    """ISO, no finer than it need be; texts of one zone sort as their times do."""
    if isinstance(value, datetime):
        finest = "milliseconds" if value.microsecond else "seconds" if value.second else "minutes"
        return value.isoformat(sep=" ", timespec=finest).replace("+00:00", " UTC")
    return value.isoformat()


def join(words: list[str], last: str) -> str:
    """Words in a sentence.

    >>> join(["A", "B", "C"], "or")
    'A, B or C'
    """
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
