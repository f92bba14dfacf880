"""The file formats: one file and one line of the registry each."""

from slad.tables.formats.delimited import DELIMITED
from slad.tables.formats.feather import FEATHER
from slad.tables.formats.format import Format
from slad.tables.formats.json_lines import JSON_LINES
from slad.tables.formats.parquet import PARQUET
from slad.tables.formats.registry import FORMATS, endings, of_bytes, of_name

__all__ = [
    "DELIMITED",
    "FEATHER",
    "FORMATS",
    "JSON_LINES",
    "PARQUET",
    "Format",
    "endings",
    "of_bytes",
    "of_name",
]
