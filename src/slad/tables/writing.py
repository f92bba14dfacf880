"""`write`: a table to a file, in the format that its name says."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pyarrow as pa

from slad.core.errors import ConfigError
from slad.core.files import written_aside
from slad.tables.formats import endings, of_name
from slad.tables.formats.compression import PACK
from slad.tables.formats.format import Writer


def write(frame: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write aside, then rename. CSV, TSV and JSON lines may end in .gz, .bz2, .xz or .zst, too."""
    target = Path(path)
    writer, packed = check_target(target)
    ending = (Path(target.stem) if packed else target).suffix.lower()
    with written_aside(target) as aside, aside.open("wb") as file:
        if packed is None:
            writer(frame, file, ending)
        else:
            whole = io.BytesIO()
            writer(frame, whole, ending)
            file.write(PACK[packed](whole.getvalue()))


def check_target(target: Path) -> tuple[Writer, str | None]:
    """(writer, compression) for a file of this name; ConfigError where it cannot be written."""
    found, packed = of_name(target)
    if found is None or found.write is None or (packed and not found.is_text):
        names = ", ".join(endings(written=True))
        problem = f"{found.name} files are only read" if found and not found.write else ""
        raise ConfigError(
            f"cannot write to {target}: {problem or 'the ending is not known'}; use a name that "
            f"ends in one of {names}"
        )
    if target.is_dir():
        raise ConfigError(f"cannot write to {target}: it is a folder, give a file name")
    if not target.parent.is_dir():
        raise ConfigError(f"cannot write to {target}: there is no folder {target.parent}")
    return found.write, packed
