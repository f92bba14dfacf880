"""Which files a path means: a file, a folder of Parquet, or a pattern; and their checksum."""

from __future__ import annotations

import glob
import hashlib
from pathlib import Path

from slad.core.errors import DataError
from slad.tables.formats import ENDINGS, PARQUET, of_name

_PATTERN_SIGNS = frozenset("*?[")


def members(path: Path) -> list[Path]:
    """The files behind a path, sorted; DataError where there is none."""
    if path.is_dir():
        return _parquet_files(path)
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


def _parquet_files(folder: Path) -> list[Path]:
    """As Spark and others write them: names that begin with "_" or "." are not data."""
    files = [
        each
        for each in sorted(folder.rglob("*"))
        if each.is_file()
        and not any(part.startswith(("_", ".")) for part in each.relative_to(folder).parts)
        and of_name(each)[0] is not None
    ]
    if not any(of_name(each)[0] == PARQUET for each in files):
        raise DataError(
            f"there is no Parquet file in the folder {folder}: give a file, or a pattern such as "
            f"'{folder}/*.csv'"
        )
    return of_one_format(files, str(folder))


def of_one_format(files: list[Path], where: str) -> list[Path]:
    """The files, if they are all of one format; DataError names two that are not."""
    first: dict[str, Path] = {}
    for file in files:
        first.setdefault(file_format(file), file)
    if len(first) > 1:
        seen = ", ".join(f"{file.name} ({kind})" for kind, file in first.items())
        raise DataError(
            f"{where} holds files of several formats: {seen}. Give a pattern that matches one, "
            f"such as '{where.rstrip('/*')}/*.parquet'"
        )
    return files


def file_format(path: Path) -> str:
    """The format a file's name says; DataError where it says none."""
    found, _ = of_name(path)
    if found is None:
        raise DataError(
            f"{path}: the ending {path.suffix!r} is not known. There are: {', '.join(ENDINGS)}, "
            "and .gz, .bz2, .xz or .zst after each"
        )
    return found


def checksum_of(checksums: list[str]) -> str:
    """Of one file its own; of several that of theirs, sorted."""
    if len(checksums) == 1:
        return checksums[0]
    return hashlib.sha256("".join(sorted(checksums)).encode()).hexdigest()
