"""Numbers and names as readable text."""

from __future__ import annotations

import math

NOTHING = "–"
_MINUS = "\u2212"
_SPACE = "\u00a0"


def count(number: int) -> str:
    """
    >>> count(1000)
    '1,000'
    """
    return f"{number:,}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """
    >>> counted(1, "row"), counted(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def figure(value: float | None, digits: int = 3) -> str:
    """A number with this many significant digits.

    >>> figure(0.12345), figure(12345.6), figure(-2.0), figure(None), figure(1.5e-9)
    ('0.123', '12,346', '−2', '–', '1.5e−9')
    """
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else _MINUS + "∞"
    if 1000 <= abs(value) < 1e12:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.{digits}g}"
        text = text.replace("e-0", "e-").replace("e+0", "e+")
    return text.replace("-", _MINUS)


def score(value: float | None) -> str:
    """A score with two decimals, so that the scores of a list line up."""
    if value is None or not math.isfinite(value) or abs(value) >= 1000:
        return figure(value)
    return f"{value:.2f}".replace("-", _MINUS)


def share(value: float | None) -> str:
    """
    >>> share(0.621), share(0.0123), share(0.00001), share(0), share(0.9999), share(1)
    ('62\xa0%', '1.2\xa0%', '<\xa00.1\xa0%', '0\xa0%', '>\xa099\xa0%', '100\xa0%')
    """
    if value is None or math.isnan(value):
        return NOTHING
    percents = 100 * value
    if percents and abs(percents) < 0.1:
        return f"<{_SPACE}0.1{_SPACE}%"
    if 99 < percents < 100:
        return f">{_SPACE}99{_SPACE}%"
    return f"{percents:.{0 if abs(percents) >= 9.95 else 1}f}".removesuffix(".0") + f"{_SPACE}%"


def pvalue(value: float | None) -> str:
    """
    >>> pvalue(0.0004), pvalue(0.00001), pvalue(0.25)
    ('0.0004', '<\xa00.0001', '0.250')
    """
    if value is None or math.isnan(value):
        return NOTHING
    if value < 0.0001:
        return f"<{_SPACE}0.0001"
    return f"{value:.{4 if value < 0.00095 else 3}f}"


def seconds(value: float) -> str:
    """
    >>> seconds(0.04), seconds(75.2)
    ('0.04 s', '1 min 15 s')
    """
    if value < 60:
        return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"
    return f"{int(value) // 60} min {int(value) % 60} s"


def cut(text: str, longest: int) -> str:
    """The beginning of a long text.

    >>> cut("abcdefgh", 5)
    'abcd…'
    """
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def cut_name(name: str, longest: int = 48) -> str:
    """A long name without its middle: columns often differ in their endings only.

    >>> cut_name("sensor_left_temperature", 11)
    'senso…ature'
    """
    if len(name) <= longest:
        return name
    half = (longest - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def listed(names: list[str]) -> str:
    """
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
