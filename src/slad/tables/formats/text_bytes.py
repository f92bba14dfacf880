"""The bytes of a text file in UTF-8, whatever its encoding."""

from __future__ import annotations

import codecs
from pathlib import Path

from slad.core.errors import DataError
from slad.tables.loaded import Note

BYTE_ORDER_MARK = codecs.BOM_UTF8
_MARKS = (
    (BYTE_ORDER_MARK, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BLOCK = 2**24
_SIGNS = {
    b"PK\x03\x04": "a zip archive, as Excel's .xlsx is: save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old Excel file: save the sheet as CSV",
    b"PAR1": "a Parquet file: name it .parquet",
    b"ARROW1": "an Arrow file: name it .arrow",
    b"\x1f\x8b": "packed with gzip: name it .gz",
    b"BZh": "packed with bzip2: name it .bz2",
    b"\xfd7zXZ\0": "packed with xz: name it .xz",
    b"\x28\xb5\x2f\xfd": "packed with zstd: name it .zst",
    b"%PDF": "a PDF",
}


def bytes_of(source: bytes | Path) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()


def as_utf8(data: bytes, where: str) -> tuple[bytes, list[Note]]:
    """The text in UTF-8 without a byte order mark.

    Other bytes are read as Windows-1252, with a note: most such files come from a spreadsheet. A
    wrong letter in a name does less harm than an error.
    """
    if not data.strip():
        raise DataError(f"{where} is empty")
    for sign, what in _SIGNS.items():
        if data.startswith(sign):
            raise DataError(f"{where} is not text but {what}")
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data, mark, encoding, where)
    if (place := data.find(b"\0")) >= 0:
        raise DataError(
            f"{where} is not text: byte {place} is 0. If it is UTF-16 without a mark, save it as "
            "UTF-8"
        )
    bad = _first_bad_byte(data)
    if bad is None:
        return data, []
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{where} is neither UTF-8 (byte {bad} is {data[bad]:#04x}) nor Windows-1252 "
            f"(byte {error.start} is {data[error.start]:#04x}): save it as UTF-8"
        ) from error
    note = f"read as Windows-1252: byte {bad} ({data[bad]:#04x}) is not UTF-8"
    return text.encode(), [Note(None, note)]


def _marked(data: bytes, mark: bytes, encoding: str, where: str) -> tuple[bytes, list[Note]]:
    if encoding == "utf-8":
        return as_utf8(data[len(mark) :], where)
    try:
        text = data.decode(encoding).encode()
    except UnicodeError as error:
        raise DataError(
            f"{where} begins with the mark of {encoding.upper()}, but is something else: {error}"
        ) from error
    if not text.strip():
        raise DataError(f"{where} is empty")
    return text, [Note(None, f"read as {encoding.upper()}")]


def _first_bad_byte(data: bytes) -> int | None:
    """Offset of the first byte that is not UTF-8, found block by block to bound memory."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    for start in range(0, len(data), _BLOCK):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(view[start : start + _BLOCK], start + _BLOCK >= len(data))
        except UnicodeDecodeError as error:
            return start - pending + error.start
    return None
