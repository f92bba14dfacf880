"""Arrow's many types as a few families, as text that can be read back, and cells as text."""

from __future__ import annotations

import base64
import re

import pyarrow as pa
import pyarrow.types as kind
from pyarrow import compute as pc

from slad.core.errors import ArtifactError

NUMBER, BOOLEAN, TEXT, TIME, NULL, OTHER = "number", "boolean", "text", "time", "null", "other"

_ZONED = re.compile(r"timestamp\[(s|ms|us|ns), tz=(.+)\]")
_DECIMAL = re.compile(r"decimal(32|64|128|256)\((\d+), (-?\d+)\)")


def family(type_: pa.DataType) -> str:
    """What people call cells of this type: a number, a boolean, text, a time, or other.

    Durations and decimals are numbers; a time of day is a time.
    """
    if kind.is_null(type_):
        return NULL
    if kind.is_boolean(type_):
        return BOOLEAN
    if is_whole(type_) or kind.is_floating(type_) or kind.is_decimal(type_):
        return NUMBER
    if kind.is_duration(type_):
        return NUMBER
    if kind.is_string(type_) or kind.is_large_string(type_):
        return TEXT
    if kind.is_timestamp(type_) or kind.is_date(type_) or kind.is_time(type_):
        return TIME
    return OTHER


def is_whole(type_: pa.DataType) -> bool:
    return bool(kind.is_integer(type_))


def is_counted(type_: pa.DataType) -> bool:
    """Whether different values of such a column are counted: texts and whole numbers."""
    return family(type_) == TEXT or is_whole(type_)


def as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Cells as text, in the one form in which values are compared."""
    if family(column.type) == TEXT:
        return column
    if kind.is_duration(column.type):
        column = column.cast(pa.int64())
    if kind.is_floating(column.type):
        column = pc.add(column, pa.scalar(0, column.type))  # -0 is 0
    return column.cast(pa.string())


def type_text(type_: pa.DataType) -> str:
    """The type's name where that is complete; otherwise (nested types) Arrow's own bytes.

    >>> type_text(pa.timestamp("us", "Europe/Berlin"))
    'timestamp[us, tz=Europe/Berlin]'
    """
    text = str(type_)
    try:
        if type_from_text(text) == type_:
            return text
    except ArtifactError:
        pass
    schema = pa.schema([pa.field("", type_)]).serialize().to_pybytes()
    return "ipc:" + base64.b64encode(schema).decode("ascii")


def type_from_text(text: str) -> pa.DataType:
    """What `type_text` wrote."""
    try:
        if text.startswith("ipc:"):
            buffer = pa.py_buffer(base64.b64decode(text[4:], validate=True))
            return pa.ipc.read_schema(buffer).field(0).type
        if zoned := _ZONED.fullmatch(text):
            return pa.timestamp(zoned[1], zoned[2])
        if decimal := _DECIMAL.fullmatch(text):
            make = getattr(pa, f"decimal{decimal[1]}")
            return make(int(decimal[2]), int(decimal[3]))
        return pa.type_for_alias({"float": "float32", "double": "float64"}.get(text, text))
    except (ValueError, OSError, AttributeError, pa.ArrowException) as error:
        raise ArtifactError(f"{text!r} is not the type of a column: {error}") from error
