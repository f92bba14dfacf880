"""Measuring what is usual in a column of an Arrow table."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from slad.core.typing import Int
from slad.explain.usual import Usual
from slad.explain.values import DIGITS, show_value

if TYPE_CHECKING:
    import pyarrow as pa

TAILS = [0.05, 0.5, 0.95]
"""The quantiles that make the usual range, and the typical value."""
KEPT = 1000
"""Levels whose shares are kept, to tell a rare one from one never seen."""
MOST_DIGITS = 12
OFTEN = 0.05
"""Share from which a text is named as one that comes again and again."""
USUAL_DAY = 0.01
"""Share from which a weekday is a usual one."""
DAYS_NEED = 50
"""Rows it takes to say which weekdays are usual."""


def usual_values(
    column: pa.ChunkedArray, kind: str, ordinary: Int[np.ndarray, " m"] | None = None
) -> Usual:
    """What is usual in a column.

    Gaps and levels are counted in all rows, so that anybody who counts finds the same; ranges are
    those of the `ordinary` rows (else of all), for a few strange rows stretch a range far.
    """
    present = _present(column)
    if len(present) == 0:
        return Usual(kind, missing=1.0, rows=len(column))
    some = present if ordinary is None else _present(column.take(ordinary))
    counted = COUNTS.get(kind, _levels)(present)
    measured = RANGES.get(kind, _nothing)(some if len(some) else present)
    return Usual(kind, 1 - len(present) / len(column), rows=len(column), **counted, **measured)


def _present(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    present = column.drop_null()
    return present.filter(pc.is_finite(present)) if pa.types.is_floating(present.type) else present


def _number(present: pa.ChunkedArray) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    duration = pa.types.is_duration(present.type)
    if duration:
        present = pc.divide(present.cast(pa.duration("us")).cast(pa.int64()), 1e6)
    elif not pa.types.is_integer(present.type):
        present = present.cast(pa.float64())
    whole = bool(pc.all(pc.equal(present, pc.round(present))).as_py())
    quantiles = pc.quantile(present, TAILS, interpolation="nearest" if whole else "linear")
    low, middle, high = (int(q) if whole else q for q in quantiles.to_pylist())
    largest, spread = max(abs(low), abs(high)), high - low
    need = ceil(log10(largest / spread)) + 2 if spread > 0 else DIGITS
    digits = min(max(need, DIGITS), MOST_DIGITS)
    return {"low": low, "middle": middle, "high": high, "digits": digits, "duration": duration}


def _levels(present: pa.ChunkedArray) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(present.type):
        present = present.cast(present.type.value_type)
    counts = pc.value_counts(present)
    most = pc.sort_indices(counts.field("counts"), sort_keys=[("", "descending")])[:KEPT]
    levels: dict[str, float] = {}
    for each in counts.take(most).to_pylist():
        name = show_value(each["values"], "category")  # long texts may end up the same
        levels[name] = levels.get(name, 0.0) + each["counts"] / len(present)
    return {"levels": levels, "n_levels": len(counts)}


def _repeated(present: pa.ChunkedArray) -> dict[str, Any]:
    found = _levels(present)
    often = {name: share for name, share in found["levels"].items() if share >= OFTEN}
    return found | {"levels": often}


def _nothing(present: pa.ChunkedArray) -> dict[str, Any]:
    return {}


def _lengths(present: pa.ChunkedArray) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    lengths = pc.utf8_length(present.cast(pa.string()))
    low, middle, high = pc.quantile(lengths, TAILS, interpolation="nearest").to_pylist()
    return {"low": low, "middle": middle, "high": high}


def _time(present: pa.ChunkedArray) -> dict[str, Any]:
    import pyarrow as pa
    import pyarrow.compute as pc

    stamped = pa.types.is_timestamp(present.type)
    if stamped:  # Python's times have no nanoseconds
        present = present.cast(pa.timestamp("us", tz=present.type.tz), safe=False)
    ends = pc.min_max(present)
    found: dict[str, Any] = {
        "low": show_value(ends["min"].as_py(), "time"),
        "high": show_value(ends["max"].as_py(), "time"),
    }
    if stamped:
        hours = pc.quantile(pc.hour(present), [TAILS[0], TAILS[-1]], interpolation="nearest")
        found["hours"] = tuple(hours.to_pylist())
        if found["hours"] == (0, 0):  # dates that were read as times
            del found["hours"]
    if stamped or pa.types.is_date(present.type):
        days = pc.value_counts(pc.day_of_week(present)).to_pylist()
        usual = [day["values"] for day in days if day["counts"] >= USUAL_DAY * len(present)]
        found["weekdays"] = tuple(sorted(usual)) if len(present) >= DAYS_NEED else None
    return found


Measure = Callable[["pa.ChunkedArray"], dict[str, Any]]
RANGES: dict[str, Measure] = {"number": _number, "text": _lengths, "time": _time}
COUNTS: dict[str, Measure] = {"number": _nothing, "text": _repeated, "time": _nothing}
"""All other kinds of columns have no range, and levels."""
