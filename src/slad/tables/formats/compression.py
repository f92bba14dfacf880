"""Compressed files: .gz, .bz2, .xz and .zst."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable

import pyarrow as pa

from slad.core.errors import DataError

_SIGNS = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\0": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}


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


def compression_of_bytes(data: bytes) -> str | None:
    """The ending that a file of these bytes would have; None where they are not compressed."""
    for sign, ending in _SIGNS.items():
        if data.startswith(sign):
            return ending
    return None


def unpacked(data: bytes, compression: str | None, where: str) -> bytes:
    """The bytes without their compression."""
    if compression is None:
        return data
    try:
        return UNPACK[compression](data)
    except (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, MemoryError) as error:
        raise DataError(
            f"{where} cannot be unpacked as {compression} ({error}): it was cut short, or is "
            "something else; download or write it again"
        ) from error
