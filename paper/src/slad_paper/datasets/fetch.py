"""Missing files from their public source to the data root: checked, and whole or not there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from slad.core.errors import DataError
from slad.core.locks import locked
from slad_paper.datasets.catalog import Entry, File
from slad_paper.datasets.download import TransferError, download, tag_path
from slad_paper.datasets.store import (
    VARIABLE,
    data_root,
    note_checksum,
    note_path,
    noted_checksum,
    verify_file,
    way_to_get,
    wrong_file,
)

Progress = Callable[[str, int, int | None], None]
"""Told the path of a file, how many bytes are there, and of how many if that is known."""


@dataclass(frozen=True)
class Fetched:
    """A file that came just now."""

    path: Path
    bytes: int
    sha256: str
    noted: bool
    """Whether the catalog had no checksum, so that this one was noted beside the file."""


def fetch(
    entry: Entry,
    root: Path | None = None,
    *,
    progress: Progress | None = None,
    again: bool = False,
) -> list[Fetched]:
    """Bring the files of a dataset that are missing (`again`: all of them), checked.

    Files that are there are checked. Gives what came.
    """
    root = data_root() if root is None else root
    came = [_fetch_file(file, entry, root, progress, again) for file in entry.files]
    return [each for each in came if each]


def _fetch_file(
    file: File, entry: Entry, root: Path, progress: Progress | None, again: bool
) -> Fetched | None:
    target = root / file.path
    if target.is_file() and (not again or file.url is None):
        verify_file(file, entry, root)
        return None
    if file.url is None:
        raise DataError(f"{entry.name}: {target}: {way_to_get(file, entry, root)}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with locked(target):
            if target.is_file() and not again:  # another process was first
                verify_file(file, entry, root)
                return None
            return _bring(file, entry, target, progress)
    except OSError as error:
        raise DataError(
            f"{entry.name}: {target} cannot be written ({error}): {VARIABLE} can name another "
            "data root"
        ) from error


def _bring(file: File, entry: Entry, target: Path, progress: Progress | None) -> Fetched:
    assert file.url is not None
    part = target.with_name(f"{target.name}.part")
    expected = file.sha256 or noted_checksum(target)
    tell = partial(progress, file.path) if progress else None
    try:
        while True:
            found, old_part = download(
                file.url, part, size=file.bytes, checked=bool(expected), progress=tell
            )
            size = part.stat().st_size
            if expected in (None, found):
                break
            part.unlink()
            if not old_part:  # an old part may have been of another version: once more, whole
                raise wrong_file(
                    file.url, (expected or "",), found, size, _kept_out(file, entry, target)
                )
    except TransferError as error:
        raise DataError(_failed(error, file, entry, target)) from error
    tag_path(part).unlink(missing_ok=True)
    part.replace(target)
    if expected is None:
        note_checksum(target, found)
    return Fetched(target, size, found, noted=expected is None)


def _kept_out(file: File, entry: Entry, target: Path) -> str:
    retry = f"Nothing was written to {target}. To try again: slad data fetch {entry.name} --again"
    if file.sha256:
        return retry
    return f"{retry}; to accept a new version of the source, delete {note_path(target)} first"


def _failed(error: TransferError, file: File, entry: Entry, target: Path) -> str:
    return (
        f"{entry.name}: {file.url} could not be fetched: {error}. You can put the file by hand at "
        f"{target}; {VARIABLE} can name another data root."
    )
