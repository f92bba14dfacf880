"""Tables that are in memory already: pandas, polars, Arrow, numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from slad.core.errors import DataError
from slad.tables.loaded import Note
from slad.tables.mixed import column_of

_ERRORS = (pa.ArrowException, TypeError, ValueError, OverflowError, NotImplementedError)

Read = tuple[pa.Table, str, list[Note]]
"""The table, what to call it in messages, and notes."""


def from_memory(source: Any) -> Read:
    library = type(source).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(source)
    if library == "polars":
        return _from_polars(source)
    if isinstance(source, np.ndarray):
        return _from_numpy(source)
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        try:
            return pa.table(source), "the table", []
        except _ERRORS as error:
            raise DataError(f"the table cannot be read: {error}") from error
    raise DataError(
        f"a {type(source).__name__} is not a table: give a path, a pandas, polars or Arrow table, "
        "or a numpy array of two dimensions"
    )


def _from_pandas(source: Any) -> Read:
    where = "the pandas table"
    frame = source.to_frame() if hasattr(source, "to_frame") and source.ndim == 1 else source
    if getattr(frame, "ndim", 0) != 2 or not hasattr(frame, "iloc"):
        raise DataError(f"a pandas {type(source).__name__} is not a table: give a DataFrame")
    notes = []
    if type(frame.index).__name__ != "RangeIndex":
        text = "the index of the pandas table is not used: reset_index() makes it a column"
        notes.append(Note(None, text))
    names = [_name(name) for name in frame.columns]
    columns = []
    for at, name in enumerate(names):
        series = frame.iloc[:, at]
        try:
            column = pa.array(series, from_pandas=True)
        except _ERRORS:
            column, mixed = column_of(series.tolist(), name)
            notes += mixed
        columns.append(column)
    return pa.table(columns, names=names), where, notes


def _from_polars(source: Any) -> Read:
    frame = source.collect() if hasattr(source, "collect") else source
    if hasattr(frame, "to_frame"):
        frame = frame.to_frame()
    try:
        return frame.to_arrow(), "the polars table", []
    except Exception as error:  # polars has its own errors, which we must not import
        raise DataError(f"the polars table cannot be read: {error}") from error


def _from_numpy(source: np.ndarray) -> Read:
    where = "the numpy array"
    if source.dtype.names:
        columns = [source[name] for name in source.dtype.names]
        names = list(source.dtype.names)
        if source.ndim != 1:
            raise DataError(
                f"{where} with named fields has {source.ndim} dimensions: give one dimension"
            )
    else:
        if source.ndim != 2:
            shape = "x".join(map(str, source.shape))
            raise DataError(f"{where} has the shape {shape}: give two dimensions, rows by columns")
        columns, names = list(source.T), [str(at) for at in range(source.shape[1])]
    notes: list[Note] = []
    arrays = []
    for name, column in zip(names, columns, strict=True):
        array, mixed = column_of(column.tolist() if column.dtype == object else column, name)
        arrays.append(array)
        notes += mixed
    return pa.table(arrays, names=names), where, notes


def _name(name: Any) -> str:
    """A name as text; the levels of a pandas MultiIndex are joined."""
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)
