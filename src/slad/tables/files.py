"""Which files a path means: a file, a folder, or a pattern; and their checksum."""

from __future__ import annotations

import glob
import hashlib
from pathlib import Path

from slad.core.errors import DataError
from slad.tables.formats import FORMATS, Format, endings, of_name

_PATTERN_SIGNS = frozenset("*?[")


def members(path: Path) -> list[Path]:
    """The files that a path stands for, sorted; DataError where there are none."""
    if path.is_dir():
        return _files_in(path)
    if path.exists():
        return [path]
    if _PATTERN_SIGNS.isdisjoint(str(path)):
        near = f" There is no folder {path.parent} either." if not path.parent.is_dir() else ""
        raise DataError(f"there is no file {path}.{near}")
    found = sorted(Path(name) for name in glob.glob(str(path), recursive=True))  # noqa: PTH207
    files = [each for each in found if each.is_file()]
    if not files:
        raise DataError(f"no file matches {path}")
    return of_one_format(files, str(path))


def _files_in(folder: Path) -> list[Path]:
    """The data files in a folder. Spark and others mark files without data by "_" or "."."""
    found = {
        each: of_name(each)[0]
        for each in sorted(folder.rglob("*"))
        if each.is_file()
        and not any(part.startswith(("_", ".")) for part in each.relative_to(folder).parts)
    }
    files = [file for file, each in found.items() if each is not None]
    if not any(each.in_folders for each in found.values() if each is not None):
        names = " or ".join(each.name for each in FORMATS.values() if each.in_folders)
        raise DataError(
            f"there is no {names} file in the folder {folder}: give a file, or a pattern such as "
            f"'{folder}/*.csv'"
        )
    return of_one_format(files, str(folder))


def of_one_format(files: list[Path], where: str) -> list[Path]:
    """The files, if they are all of one format; DataError names two that are not."""
    first: dict[str, Path] = {}
    for file in files:
        first.setdefault(file_format(file).name, file)
    if len(first) > 1:
        seen = ", ".join(f"{file.name} ({name})" for name, file in first.items())
        raise DataError(
            f"{where} holds files of several formats: {seen}. Give a pattern that matches one, "
            f"such as '{where.rstrip('/*')}/*.parquet'"
        )
    return files


def file_format(path: Path) -> Format:
    """The format of a file by its name; DataError where the ending is not known."""
    found, _ = of_name(path)
    if found is None:
        raise DataError(
            f"{path}: the ending {path.suffix!r} is not known. Known endings: "
            f"{', '.join(endings())}, and .gz, .bz2, .xz or .zst after each"
        )
    return found


def checksum_of(checksums: list[str]) -> str:
    """The checksum of one file, or of the sorted checksums of several."""
    if len(checksums) == 1:
        return checksums[0]
    return hashlib.sha256("".join(sorted(checksums)).encode()).hexdigest()
