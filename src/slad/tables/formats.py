"""Which format and which compression a file's name says."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from pathlib import PurePath

import pyarrow as pa

from slad.core.errors import DataError

DELIMITED, JSON_LINES, PARQUET, FEATHER = "CSV", "JSON lines", "Parquet", "Feather"

ENDINGS = {
    ".csv": DELIMITED,
    ".tsv": DELIMITED,
    ".tab": DELIMITED,
    ".txt": DELIMITED,
    ".parquet": PARQUET,
    ".pq": PARQUET,
    ".arrow": FEATHER,
    ".feather": FEATHER,
    ".ipc": FEATHER,
    ".jsonl": JSON_LINES,
    ".ndjson": JSON_LINES,
    ".json": JSON_LINES,
}

_SIGNS = {b"PAR1": PARQUET, b"ARROW1": FEATHER, b"FEA1": FEATHER, b"\xff\xff\xff\xff": FEATHER}
_PACKED = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}


def _unpack_zstd(data: bytes) -> bytes:
    with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
        unpacked: bytes = stream.read()
    return unpacked


def _pack_zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
    ".zst": _unpack_zstd,
}
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": _pack_zstd,
}


def of_name(path: PurePath) -> tuple[str | None, str | None]:
    """(format, compression) by the endings of a name; None where they say nothing.

    >>> of_name(PurePath("orders.CSV.gz"))
    ('CSV', '.gz')
    """
    endings = [ending.lower() for ending in path.suffixes]
    packed = endings.pop() if endings and endings[-1] in UNPACK else None
    return ENDINGS.get(endings[-1]) if endings else None, packed


def of_bytes(data: bytes) -> str:
    """The format of unpacked bytes without a name: what they begin with, JSON by its brace."""
    for sign, format_ in _SIGNS.items():
        if data.startswith(sign):
            return format_
    begin = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    return JSON_LINES if begin[:1] in (b"{", b"[") else DELIMITED


def compression_of_bytes(data: bytes) -> str | None:
    for sign, ending in _PACKED.items():
        if data.startswith(sign):
            return ending
    return None


def unpacked(data: bytes, compression: str | None, where: str) -> bytes:
    """The bytes within compressed ones."""
    if compression is None:
        return data
    try:
        return UNPACK[compression](data)
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, MemoryError) as error:
        raise DataError(
            f"{where} cannot be unpacked as {compression} ({error}): it was cut short, or is "
            "something else; fetch or write it again"
        ) from error
