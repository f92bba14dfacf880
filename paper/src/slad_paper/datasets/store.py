"""The data root, and whether what lies there is what the catalog means."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from slad.core.errors import DataError
from slad.core.files import written_aside
from slad.core.folders import cache_folder
from slad_paper.datasets.catalog import Entry, File

VARIABLE = "SLAD_DATA"

_hashed: dict[tuple[str, int, int], str] = {}


def data_root() -> Path:
    """The folder that SLAD_DATA names, else the user's cache folder of slad."""
    told = os.environ.get(VARIABLE)
    return Path(told).expanduser() if told else cache_folder() / "slad"


def is_here(entry: Entry, root: Path) -> bool:
    """Whether all files of a dataset are there; one without files always is."""
    return all((root / file.path).is_file() for file in entry.files)


def verify(entry: Entry, root: Path) -> bool:
    """Whether all files have a known checksum; an error where one is missing or wrong."""
    known = [verify_file(file, entry, root) for file in entry.files]
    return all(known)


def verify_file(file: File, entry: Entry, root: Path) -> bool:
    """True for the right checksum, False where none is known, else an error."""
    path = root / file.path
    if not path.is_file():
        raise DataError(f"{entry.name}: {path} is not there. {way_to_get(file, entry, root)}")
    noted = None if file.checksums else noted_checksum(path)
    expected = (noted,) if noted else file.checksums
    if expected and checksum(path) not in expected:
        raise wrong_file(path, expected, checksum(path), path.stat().st_size, again(file, entry))
    return bool(expected)


def checksum(path: Path) -> str:
    """sha256 of a file, computed once a process while its size and time stay the same."""
    state = path.stat()
    key = (str(path.absolute()), state.st_size, state.st_mtime_ns)
    if key not in _hashed:
        with open(path, "rb") as file:
            _hashed[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _hashed[key]


def note_path(path: Path) -> Path:
    """Where the checksum of a file is noted that the catalog has none for."""
    return path.with_name(f"{path.name}.sha256")


def noted_checksum(path: Path) -> str | None:
    """The checksum noted at the first download, if there is one."""
    note = note_path(path)
    if not note.is_file():
        return None
    word = note.read_text(encoding="utf-8", errors="replace").partition(" ")[0].strip().lower()
    if len(word) != 64 or set(word) - set("0123456789abcdef"):
        raise DataError(f"{note} holds no sha256 but {word[:70]!r}: delete it to accept {path}")
    return word


def note_checksum(path: Path, found: str) -> None:
    """Note a file's checksum beside it, in the form of the program sha256sum."""
    with written_aside(note_path(path)) as aside:
        aside.write_text(f"{found}  {path.name}\n", encoding="utf-8")


def wrong_file(
    where: Path | str, expected: tuple[str, ...], found: str, size: int, way_out: str
) -> DataError:
    return DataError(
        f"{where} is another file than expected: sha256 {' or '.join(expected)} expected, "
        f"{found} found ({size:,} bytes). {way_out}"
    )


def again(file: File, entry: Entry) -> str:
    """The way out when a file under the data root is wrong."""
    if file.url is None:
        return f"Replace it by the right one. {_made_of(entry)}"
    return f"To fetch it anew: slad data fetch {entry.name} --again"


def way_to_get(file: File, entry: Entry, root: Path) -> str:
    """How a missing file comes under the data root, by hand or otherwise."""
    if file.url is None:
        way = f"There is no direct download; put the file there by hand. {_made_of(entry)}"
    else:
        way = f"To fetch it: slad data fetch {entry.name} (from {file.url})"
    return f"{way} The data root is {root}; {VARIABLE} can name another one."


def _made_of(entry: Entry) -> str:
    return f"It comes from {entry.source}. {entry.note}".rstrip()
