"""The spread of a column, drawn once, and the place of one value in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from slad.model.findings import ColumnProfile, Histogram, Levels
from slad.report import wording
from slad.report.markup import Html, tag

NEARLY = 0.99
"""From this fraction of the values on, a text says "nearly all"."""
MARGIN = 0.12
"""Fraction of a strip, at either end, for values beyond the histogram."""

_GAP = 0.6
"""Between the bars of a symbol, which is 100 wide and 100 high."""


@dataclass(frozen=True)
class Place:
    """Where a value lies: from 0 (the left end of a strip) to 1 (the right end), and in words."""

    at: float | None
    words: str


def as_number(value: object) -> float | None:
    """A cell as a number: digits with separators, or a date as seconds since 1970."""
    if isinstance(value, int | float):
        return float(value)
    text = str(value).strip()
    with suppress(ValueError):
        return float(text.replace(",", "").replace("\u2212", "-").replace("\u202f", ""))
    with suppress(ValueError):
        moment = datetime.fromisoformat(text.replace(" UTC", "+00:00"))
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None


def slot(edges: Sequence[float], number: float) -> float:
    """Position among `edges` from 0 to 1, with all bins drawn equally wide."""
    bins = len(edges) - 1
    if number >= edges[-1]:
        return 1.0
    at = max(bisect_right(edges, number) - 1, 0)
    width = edges[at + 1] - edges[at]
    return min(max((at + (number - edges[at]) / width) / bins, 0.0), 1.0)


def histogram_of(column: ColumnProfile) -> Histogram | None:
    """The histogram of a column of numbers or times, if it has one that can be drawn."""
    shape = column.shape
    drawable = isinstance(shape, Histogram) and shape.edges[0] < shape.edges[-1]
    return shape if isinstance(shape, Histogram) and drawable else None


def is_of_times(column: ColumnProfile) -> bool:
    """Whether the edges of a column's histogram are times; slad 0.1 told by the kind alone."""
    axis = column.shape.axis if isinstance(column.shape, Histogram) else None
    return axis == "time" or column.kind == "time"


# -- where a value lies ----------------------------------------------------------------------------


def place(column: ColumnProfile, value: str) -> Place | None:
    """Where `value` lies among the values of its column; None if that is unknown."""
    if value == "missing":
        return Place(None, f"{wording.share(column.missing)} of the rows have no value here")
    if isinstance(column.shape, Levels):
        return _level_place(column.shape, value)
    histogram, number = histogram_of(column), as_number(value)
    if histogram is None or number is None:
        return None
    return _number_place(histogram.edges, histogram.counts, number, is_of_times(column))


def _number_place(
    edges: Sequence[float], counts: Sequence[float], number: float, is_time: bool
) -> Place:
    less, more = ("earlier", "later") if is_time else ("lower", "higher")
    span = edges[-1] - edges[0]
    if number < edges[0]:
        beyond = edges[0] - number
        return Place(MARGIN * (1 - beyond / (beyond + span)), f"{less} than nearly all values seen")
    if number > edges[-1]:
        beyond = number - edges[-1]
        at = 1 - MARGIN + MARGIN * beyond / (beyond + span)
        return Place(at, f"{more} than nearly all values seen")
    inner = slot(edges, number)
    below = _share_below(counts, inner)
    if counts[min(int(inner * len(counts)), len(counts) - 1)] == 0:
        words = "in a gap where no value was seen"
    else:
        side, share = (more, below) if below >= 0.5 else (less, 1 - below)
        most = f"{wording.share(share)} of the values" if share < NEARLY else "nearly all values"
        words = f"{side} than {most}"
    return Place(MARGIN + (1 - 2 * MARGIN) * inner, words)


def _share_below(counts: Sequence[float], inner: float) -> float:
    """The fraction of values below a place, if each bin's values are spread evenly."""
    position = inner * len(counts)
    whole = min(int(position), len(counts) - 1)
    return (sum(counts[:whole]) + counts[whole] * (position - whole)) / (sum(counts) or 1)


def _level_place(shape: Levels, value: str) -> Place:
    shares = _level_shares(shape)
    same = (at for at, level in enumerate(shape.levels) if _is_shown_as(level, value))
    at = next(same, None)
    if at is None:
        return Place(1 - MARGIN / 2, "not among the common values")
    middle = sum(shares[:at]) + shares[at] / 2
    return Place((1 - MARGIN) * middle, f"{wording.share(shares[at])} of the values are the same")


def _is_shown_as(level: str, value: str) -> bool:
    """Whether a cell is this level: cells are shown in one line, cut, and 3.0 as 3."""
    level, value = " ".join(level.split()).casefold(), value.casefold()
    if value.endswith("…") and len(value) > 1:
        return level.startswith(value[:-1])
    return value in (level, level.removesuffix(".0"))


def _level_shares(shape: Levels) -> list[float]:
    total = sum(shape.counts) or 1
    return [number / total for number in shape.counts]


# -- drawings --------------------------------------------------------------------------------------


def symbol(position: int, column: ColumnProfile) -> Html | None:
    """The spread of a column, drawn once for every use; None if it has none."""
    histogram = histogram_of(column)
    if isinstance(column.shape, Levels) and column.shape.levels:
        path = _segments(_level_shares(column.shape))
    elif histogram and any(histogram.counts):
        path = bars([number / max(histogram.counts) for number in histogram.counts])
    else:
        return None
    return tag(
        "symbol",
        tag("path", d=path),
        id=f"c{position}",
        viewBox="0 0 100 100",
        preserveAspectRatio="none",
    )


def bars(heights: Sequence[float], lowest: float = 4) -> str:
    """A path of bars with heights from 0 to 1; bars above 0 have at least the height `lowest`."""
    width = 100 / len(heights)
    gap = min(_GAP, width / 4)
    return "".join(
        f"M{at * width:.4g} 100v-{max(100 * height, lowest):.3g}h{width - gap:.3g}V100z"
        for at, height in enumerate(heights)
        if height > 0
    )


def _segments(shares: Sequence[float]) -> str:
    start, path = 0.0, ""
    for share in shares:
        path += f"M{100 * start:.4g} 100v-60h{max(100 * share - 2 * _GAP, 0.4):.3g}v60z"
        start += share
    return path


def strip(position: int, column: ColumnProfile, found: Place) -> Html:
    """The spread of a column with a pin at a value; the text beside it says the same."""
    levels = isinstance(column.shape, Levels)
    start, width = (0.0, 1 - MARGIN) if levels else (MARGIN, 1 - 2 * MARGIN)
    drawn = [tag("line", x2="100%", y1="100%", y2="100%", class_="floor")]
    drawn.append(
        tag("use", href=f"#c{position}", x=f"{start:.0%}", width=f"{width:.0%}", height="100%")
    )
    if found.at is not None:
        drawn.append(tag("use", href="#pin", x=f"{found.at:.2%}"))
    return tag("svg", *drawn, class_="strip", aria_hidden="true")


PIN = tag(
    "symbol",
    tag("path", d="M0 8v40", class_="stem"),
    tag("circle", r="4.5", cy="6"),
    id="pin",
    overflow="visible",
)
