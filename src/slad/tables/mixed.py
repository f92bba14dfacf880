"""Arrow columns from Python values that may be of several types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from slad.tables.loaded import Note


def column_of(values: Sequence[Any] | np.ndarray, name: str) -> tuple[pa.Array, list[Note]]:
    """An Arrow column; text, with a note, where the values have no common type."""
    try:
        return pa.array(values, from_pandas=True), []
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        pass
    numbers = [value for value in values if value is not None]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers):
        try:
            floats = [None if value is None else float(value) for value in values]
            return pa.array(floats, pa.float64(), from_pandas=True), []
        except OverflowError:
            pass
    types = sorted({type(value).__name__ for value in numbers})
    texts = [_text(value) for value in values]
    return pa.array(texts, pa.string()), [Note(name, f"read as text: it holds {', '.join(types)}")]


def _text(value: Any) -> str | None:
    """The value as text; None where it is missing for Python, pandas or numpy."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float) and value != value:
        return None
    return str(value).encode("utf-8", "replace").decode()
