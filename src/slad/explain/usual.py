"""What is usual in a column, and how it is said."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any

from slad.explain.values import DIGITS, is_missing, show_share, show_value

COVERED = 0.95
"""Levels are listed until they cover this share of the rows, ..."""
LISTED = 4
"""... and never more of them."""
YEARS = (1800, 2199)
RARE = 0.05
"""A level, or a gap, of a smaller share is not a usual one."""


@dataclass(frozen=True)
class Usual:
    """What is usual in a column. Plain values, so that it can be saved as JSON."""

    kind: str
    missing: float
    """The share of rows without a value."""
    rows: int = 0
    """Rows in which gaps and levels were counted."""
    low: Any = None
    middle: Any = None
    high: Any = None
    """Of numbers, of durations (in seconds), of times (ISO text) and of the lengths of texts."""
    levels: dict[str, float] = field(default_factory=dict)
    """Level (as shown) -> its share of the rows with a value, most frequent first."""
    n_levels: int = 0
    """How many there are; more than in `levels` where there are very many."""
    digits: int = DIGITS
    duration: bool = False
    hours: tuple[int, int] | None = None
    weekdays: tuple[int, ...] | None = None
    """Of times: the first and last usual hour, and the usual weekdays (0 = Monday)."""

    def show(self, value: Any) -> str:
        """A cell of the column, with the digits that it takes to tell its values apart."""
        if self._is_years and isinstance(value, int | float) and value == value // 1:
            return str(int(value))
        return show_value(value, self.kind, digits=self.digits)

    @property
    def _is_years(self) -> bool:
        """Whole numbers that people do not write with a separator: 2019, not 2,019."""
        whole = isinstance(self.low, int) and isinstance(self.high, int)
        return self.kind == "number" and whole and YEARS[0] <= self.low <= self.high <= YEARS[1]

    def holds(self, value: Any) -> bool:
        """Whether the value is a usual one, seen by itself."""
        if is_missing(value):
            return self.missing >= RARE
        if self.missing > COVERED:
            return False
        if self.low is None:
            return self._is_common(self.show(value))
        return bool(self.low <= self._measure(value) <= self.high)

    def excess(self, value: Any) -> float:
        """How far a value lies outside, in widths of the usual range; 1 where that has none.

        >>> Usual("number", 0.0, low=2.0, high=4.0).excess(9.0)
        2.5
        """
        if self.holds(value):
            return 0.0
        if self.low is None or self.kind == "time" or is_missing(value):
            return 1.0
        measured, width = self._measure(value), self.high - self.low
        return float(max(self.low - measured, measured - self.high) / width) if width else 1.0

    def _is_common(self, level: str) -> bool:
        """Whether levels as rare as this one make up a usual share of the rows."""
        share = self.levels.get(level, 0.0)
        as_rare = sum(other for other in self.levels.values() if other <= share)
        return share > 0 and as_rare + 1 - sum(self.levels.values()) >= RARE

    def _measure(self, value: Any) -> Any:
        """What is compared with the range."""
        if isinstance(value, timedelta):
            return value.total_seconds()
        if self.kind == "time":
            return show_value(value, "time")
        return len(str(value)) if self.kind == "text" else value

    def others(self, share: float, own: bool) -> float:
        """A share of the rows, less one of them: that which is talked about."""
        if self.rows <= own:
            return share
        return max(0, round(share * self.rows) - own) / (self.rows - own)

    # -- in words ------------------------------------------------------------------------------

    @property
    def brief(self) -> str:
        """For a sentence: "3.2 to 180"."""
        if self.missing > COVERED:
            return "missing"
        if self.low is None:
            return self._listed(with_shares=False)
        low, high = self._end(self.low), self._end(self.high)
        text = low if low == high else f"{low} to {high}"
        return f"{text} characters" if self.kind == "text" else text

    @property
    def text(self) -> str:
        """For a list of columns: "3.2 to 180, typically 25; missing in 2 %"."""
        if self.missing == 1:
            return "always missing"
        gaps = f"missing in {show_share(self.missing)}" if self.missing else ""
        return "; ".join(part for part in (self._in_full(), gaps) if part)

    def _in_full(self) -> str:
        if self.low is None:
            return self._listed(with_shares=True)
        low, high = self._end(self.low), self._end(self.high)
        unit = " characters" if self.kind == "text" else ""
        text = f"{low} to {high}{unit}" if low != high else f"mostly {low}{unit}"
        if self.kind == "number" and low != high:
            text += f", typically {self._end(self.middle)}"
        common = [f"{name} ({show_share(share)})" for name, share in self._common()]
        return text + (f", often {join(common, 'or')}" if common and self.kind == "text" else "")

    def _end(self, value: Any) -> str:
        if self.duration:
            return str(timedelta(seconds=round(value)))
        if isinstance(value, float):  # a range is read more easily when rounded
            digits = max(3, self.digits - 1)
            return show_value(float(f"{value:.{digits}g}"), "number", digits=digits)
        if self._is_years:
            return self.show(value)
        return show_value(value, "time" if self.kind == "time" else "number")

    def _common(self) -> list[tuple[str, float]]:
        """The most frequent levels, until they cover nearly all rows."""
        chosen: list[tuple[str, float]] = []
        for name, share in self.levels.items():
            if len(chosen) == LISTED or sum(s for _, s in chosen) >= COVERED:
                break
            chosen.append((name, share))
        return chosen

    def _listed(self, with_shares: bool) -> str:
        common = self._common()
        if not with_shares and sum(share for _, share in common) < 0.5:
            return f"one of {self.n_levels:,} values"
        words = [f"{name} ({show_share(s)})" if with_shares else name for name, s in common]
        others = self.n_levels - len(common)
        if others > 0 and sum(share for _, share in common) < COVERED:
            words.append(f"one of {others:,} others" if others > 1 else "one other")
        return join(words, "or")


def join(words: list[str], last: str) -> str:
    """Words in a sentence.

    >>> join(["A", "B", "C"], "or")
    'A, B or C'
    """
    return f" {last} ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def usual_state(usual: Usual) -> dict[str, Any]:
    """As JSON can hold it."""
    return asdict(usual)


def usual_from_state(state: dict[str, Any]) -> Usual:
    """What `usual_state` gave, after JSON has made lists of its tuples."""
    pairs = {key: tuple(state[key]) if state[key] else None for key in ("hours", "weekdays")}
    return Usual(**state | pairs)
