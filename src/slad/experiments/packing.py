"""Records of many runs as one file a detector, a line each: ten thousand small files help nobody.

A run is recorded in a file of its own first, which a kill cannot damage. When all runs of a start
are done, the files of a detector become lines of `<detector>.jsonl`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad.core.files import written_aside

SUFFIX = ".jsonl"
FILE = "file"
"""Where a line keeps the name of the file it was."""


def pack(folder: Path) -> None:
    """Move the records of every detector's folder into its file of lines."""
    for single in sorted(path for path in folder.iterdir() if path.is_dir()):
        paths = sorted(single.glob("*-split*.json"))
        if not paths:
            continue
        target = folder / f"{single.name}{SUFFIX}"
        lines = dict(lines_of(target)) if target.exists() else {}
        lines |= {path.name: json.loads(path.read_text("utf-8")) for path in paths}
        with written_aside(target) as aside, aside.open("w", encoding="utf-8") as file:
            for name in sorted(lines):
                record = {FILE: name} | lines[name]
                file.write(json.dumps(record, allow_nan=False, separators=(",", ":")) + "\n")
        for path in paths:
            path.unlink()
        if not any(single.iterdir()):
            single.rmdir()


def recorded(folder: Path) -> dict[Path, dict[str, Any]]:
    """Every record of an experiment, packed or not, by the path its own file has or had."""
    singles = {
        path: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*/*-split*.json"))
    }
    return packed(folder) | singles


def packed(folder: Path) -> dict[Path, dict[str, Any]]:
    """Every packed record of an experiment, by the path its file had."""
    return {
        folder / path.stem / name: record
        for path in sorted(folder.glob(f"*{SUFFIX}"))
        for name, record in lines_of(path)
    }


def lines_of(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records of a file of lines, with the names of the files they were."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
                yield record.pop(FILE), record
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise DataError(
                    f"{path}, line {number}, is no record ({error}): remove the line, run again"
                ) from error
