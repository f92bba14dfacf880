"""Packed records of runs: one file for each detector, one line for each run.

A run is first recorded in a file of its own, which a kill cannot damage. When all runs of a start
are done, the files of a detector become lines of `<detector>.jsonl`. What all lines share, most of
the environment and of the parameters, is in the first line only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

from slad.core import former
from slad.core.errors import DataError
from slad.core.files import written_aside
from slad_paper.runner.records import named_as_today

SUFFIX = ".jsonl"
FILE = "file"
"""Where a line keeps the name of the file it was."""
COMMON = "common"
"""Where the first line keeps what all lines share."""


def pack(folder: Path) -> None:
    """Move the records of every detector's folder into its file of lines."""
    for single in sorted(path for path in folder.iterdir() if path.is_dir()):
        paths = sorted(single.glob("*-split*.json"))
        if not paths:
            continue
        target = folder / f"{single.name}{SUFFIX}"
        lines = dict(lines_of(target)) if target.exists() else {}
        lines |= {path.name: json.loads(path.read_text("utf-8")) for path in paths}
        common = reduce(_shared, lines.values())
        own = [{FILE: name} | _without(lines[name], common) for name in sorted(lines)]
        with written_aside(target) as aside, aside.open("w", encoding="utf-8") as file:
            for line in ({COMMON: common}, *own):
                file.write(json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n")
        for path in paths:
            path.unlink()
        if not any(single.iterdir()):
            single.rmdir()


def recorded(folder: Path) -> dict[Path, dict[str, Any]]:
    """Every record of a study of runs, packed or not, by the path its own file has or had."""
    singles = {
        path: named_as_today(json.loads(path.read_text("utf-8")))
        for path in sorted(folder.glob("*/*-split*.json"))
    }
    return packed(folder) | singles


def packed(folder: Path) -> dict[Path, dict[str, Any]]:
    """Every packed record of a study, by the path its file had."""
    return {
        folder / path.stem / name: named_as_today(record)
        for path in sorted(folder.glob(f"*{SUFFIX}"))
        for name, record in lines_of(path)
    }


def recorded_paths(folder: Path) -> set[Path]:
    """Where every record of a study is, or was before it was packed."""
    singles = {path for path in folder.rglob("*.json") if not path.name.startswith(".")}
    formers = {path.with_stem(former.LABELS.get(path.stem, path.stem)) for path in singles}
    lines = {
        folder / path.stem / name
        for path in folder.glob(f"*{SUFFIX}")
        for name, _ in lines_of(path)
    }
    return singles | formers | lines


def lines_of(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The records of a file of lines, with the names of the files they were."""
    common: dict[str, Any] = {}
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
                if COMMON in record:
                    common = record[COMMON]
                else:
                    yield record.pop(FILE), _with(record, common)
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise DataError(
                    f"{path}, line {number}, is not a record ({error}): remove the line, run again"
                ) from error


def _shared(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What two records have in common, down to parts of their parts."""
    shared = {}
    for name in one.keys() & other.keys():
        if _same(one[name], other[name]):
            shared[name] = one[name]
        elif isinstance(one[name], dict) and isinstance(other[name], dict):
            shared[name] = _shared(one[name], other[name])
    return {name: shared[name] for name in one if name in shared}


def _without(record: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _without(value, common[name]) if isinstance(value, dict) and name in common else value
        for name, value in record.items()
        if name not in common or not _same(value, common[name])
    }


def _with(record: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
    both = {
        name: _with(record[name], value)
        for name, value in common.items()
        if name in record and isinstance(value, dict)
    }
    return common | record | both


def _same(one: Any, other: Any) -> bool:
    """In JSON, where 1, 1.0 and true are three things."""
    return json.dumps(one) == json.dumps(other)
