"""Reading the JSON records of studies whose cases are not runs of detectors on datasets."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad_paper.runner.records import FORMAT


@dataclass(frozen=True)
class CaseRecord:
    """One case of a study: its settings and its result."""

    path: Path
    experiment: str
    case: str
    settings: Mapping[str, Any]
    result: Mapping[str, Any]
    environment: Mapping[str, Any]


def holds_cases(folder: Path) -> bool:
    """Whether the records directly in a folder are cases of a study."""
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text("utf-8"))
        except (ValueError, OSError):
            return False
        return isinstance(content, dict) and "case" in content
    return False


def read_cases(folder: Path) -> list[CaseRecord]:
    """All cases recorded directly in a folder, by name."""
    return [_read_one(path) for path in sorted(folder.glob("*.json"))]


def _read_one(path: Path) -> CaseRecord:
    try:
        content = json.loads(path.read_text("utf-8"))
        if content["format"] != FORMAT:
            raise ValueError(f"format={content['format']!r} is not {FORMAT}")
        fields = {name: content[name] for name in ("experiment", "case", "settings", "result")}
        return CaseRecord(path=path, environment=content["environment"], **fields)
    except (KeyError, TypeError, ValueError, OSError) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise DataError(f"{path} is a damaged record ({what}): remove it, run again") from error
