"""Every file format by its name, and the format of a file."""

from __future__ import annotations

from pathlib import PurePath

from slad.tables.formats.compression import UNPACK
from slad.tables.formats.delimited import DELIMITED
from slad.tables.formats.feather import FEATHER
from slad.tables.formats.format import Format
from slad.tables.formats.json_lines import JSON_LINES
from slad.tables.formats.parquet import PARQUET

FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        DELIMITED,
        PARQUET,
        FEATHER,
        JSON_LINES,
    )
}


def endings(*, written: bool = False) -> dict[str, Format]:
    """Every ending of a name and its format; `written`: of formats that can be written."""
    return {
        ending: each
        for each in FORMATS.values()
        for ending in each.endings
        if each.write or not written
    }


def of_name(path: PurePath) -> tuple[Format | None, str | None]:
    """(format, compression) by the endings of a name; None where they are not known.

    >>> found, compression = of_name(PurePath("orders.CSV.gz"))
    >>> found.name, compression
    ('CSV', '.gz')
    """
    found = [ending.lower() for ending in path.suffixes]
    packed = found.pop() if found and found[-1] in UNPACK else None
    return endings().get(found[-1]) if found else None, packed


def of_bytes(data: bytes) -> Format:
    """The format of unpacked bytes without a name, by their beginning; CSV where that is not
    clear."""
    return next((each for each in FORMATS.values() if each.begins(data[:4096])), DELIMITED)
