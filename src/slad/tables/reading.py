"""`read`: a table from files, stdin or memory."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from slad.core.errors import DataError
from slad.tables.arrow_types import TEXT, family
from slad.tables.dates import parse_dates
from slad.tables.files import checksum_of, file_format, members, of_one_format
from slad.tables.formats import Format, of_bytes, of_name
from slad.tables.formats.compression import compression_of_bytes, unpacked
from slad.tables.formats.format import Types
from slad.tables.loaded import Loaded, Note
from slad.tables.memory import from_memory
from slad.tables.normal import normal

Part = tuple[pa.Table, str, list[Note]]
"""A table, its checksum, and notes."""


def read(source: Any, *, types: Mapping[str, pa.DataType] | None = None) -> Loaded:
    """The table at one path or several, on stdin ("-"), or in memory.

    `types` are the types of a fitted model's columns (`types_of(plan)`): without them a file whose
    codes are all digits would be read as numbers, and one whose texts are all dates as times.
    """
    if isinstance(source, Loaded):
        return source
    types = types or {}
    checksum: str | None = None
    if _are_paths(source):
        files = [file for path in source for file in members(Path(path).expanduser())]
        name = where = f"{len(files)} files" if len(files) > 1 else files[0].name
        frame, checksum, notes = _from_files(of_one_format(files, where), types)
    elif not isinstance(source, str | os.PathLike):
        frame, where, notes = from_memory(source)
        name = where
    elif os.fspath(source) == "-":
        name = where = "stdin"
        frame, checksum, notes = _from_bytes(sys.stdin.buffer.read(), where, types)
    else:
        if not os.fspath(source):
            raise DataError("the path is empty: give a file, a folder or a pattern")
        path = Path(source).expanduser()
        name, where = path.name, str(path)
        frame, checksum, notes = _from_files(members(path), types)
    frame, renamed = normal(frame, where)
    texts = {name for name, each in types.items() if family(each) == TEXT}
    frame, dated = parse_dates(frame, texts)
    return Loaded(frame, name, checksum, tuple(dict.fromkeys([*notes, *renamed, *dated])))


def _are_paths(source: Any) -> bool:
    many = isinstance(source, list | tuple) and len(source) > 0
    return many and all(isinstance(each, str | os.PathLike) for each in source)


def _from_files(files: list[Path], types: Types) -> Part:
    parts = [_from_file(file, types) for file in files]
    frame, notes = _joined(parts, files)
    return frame, checksum_of([checksum for _, checksum, _ in parts]), notes


def _from_file(path: Path, types: Types) -> Part:
    found, (_, packed) = file_format(path), of_name(path)
    try:
        with open(path, "rb") as file:
            if not found.is_text and packed is None:
                checksum = hashlib.file_digest(file, "sha256").hexdigest()
                return _parsed(path, found, str(path), types, checksum)
            data = file.read()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error
    checksum = hashlib.sha256(data).hexdigest()
    return _parsed(unpacked(data, packed, str(path)), found, str(path), types, checksum)


def _from_bytes(data: bytes, where: str, types: Types) -> Part:
    """Bytes without a name: their beginning shows what they are."""
    checksum = hashlib.sha256(data).hexdigest()
    data = unpacked(data, compression_of_bytes(data), where)
    return _parsed(data, of_bytes(data), where, types, checksum)


def _parsed(source: bytes | Path, format_: Format, where: str, types: Types, checksum: str) -> Part:
    if not (source if isinstance(source, bytes) else source.stat().st_size):
        raise DataError(f"{where} is empty")
    frame, notes = format_.read(source, where, types)
    return frame, checksum, notes


def _joined(parts: list[Part], files: list[Path]) -> tuple[pa.Table, list[Note]]:
    """The rows of all files; the cells of a column that a file lacks are missing, with a note."""
    notes = [note for _, _, each in parts for note in each]
    if len(parts) == 1:
        return parts[0][0], notes
    frame = parts[0][0]
    for (part, _, _), file in zip(parts[1:], files[1:], strict=True):
        for name in sorted(set(part.column_names) ^ set(frame.column_names)):
            notes.append(Note(name, "not in every file; missing where it is not"))
        try:
            frame = pa.concat_tables([frame, part], promote_options="permissive")
        except (pa.ArrowException, ValueError) as error:
            reason = str(error).splitlines()[0]
            raise DataError(f"{file} does not fit the files before it: {reason}") from error
    return frame, notes
