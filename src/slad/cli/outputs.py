"""Where a command writes: checked before the work, so that hours do not end in an error."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from slad.cli.steps import Steps, warn
from slad.core.errors import ConfigError, DataError
from slad.core.files import written_aside

STDOUT = "-"
PAGES = (".html", ".htm")


def check_files(
    options: argparse.Namespace, *tables: str | None, model: Path | None = None
) -> None:
    """Of a command that judges tables: inputs that are there, outputs that can be written."""
    check_inputs(*tables)
    check_outputs(options, *tables, model)
    check_table_ending(options.out)


def check_outputs(options: argparse.Namespace, *inputs: str | Path | None) -> None:
    """An error for every file that could not be written, or would replace an input."""
    taken: dict[Path, str] = {}
    sources = [Path(each) for each in inputs if each not in (None, STDOUT)]
    for option in ("out", "report", "manifest"):
        given = getattr(options, option, None)
        if given is None or given == STDOUT:
            continue
        path = Path(given)
        _check_place(option, path)
        if option == "report" and path.suffix.lower() not in PAGES:
            raise ConfigError(f"--report {path} is a page for a browser: name it with .html")
        for source in sources:
            if path.exists() and source.exists() and path.samefile(source):
                raise ConfigError(f"--{option} {path} would replace the input: give another name")
        if (same := path.absolute()) in taken:
            raise ConfigError(f"--{option} and --{taken[same]} are both {path}: give two names")
        taken[same] = option


def check_table_ending(out: str | None) -> None:
    """An error where the ending of --out names no format."""
    from slad.tables.formats import endings, of_name

    if out in (None, STDOUT):
        return
    found, _ = of_name(Path(str(out)))
    if found is None or found.write is None:
        known = _listed(endings(written=True))
        raise ConfigError(f"--out {out}: the ending says no format; there are: {known}")


def check_inputs(*paths: str | None) -> None:
    """An error for a file that is not there, where its name is no pattern."""
    for path in paths:
        if path is None or path == STDOUT or re.search(r"[*?\[]", path):
            continue
        if not Path(path).exists():
            raise DataError(f"there is no file {path}")


def _check_place(option: str, path: Path) -> None:
    if path.is_dir():
        raise ConfigError(f"--{option} {path} is a folder: give the name of a file in it")
    if not path.parent.is_dir():
        raise ConfigError(f"--{option} {path}: there is no folder {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise ConfigError(f"--{option} {path}: the folder {path.parent} cannot be written to")


def manifest_path(options: argparse.Namespace) -> Path | None:
    """Where the manifest goes: as told, or beside what is written; None for the cache folder."""
    if options.manifest is not None:
        return Path(options.manifest)
    for name in ("out", "report"):
        given = getattr(options, name, None)
        if given not in (None, STDOUT):
            path = Path(given)
            return path.with_name(f"{_stem(path)}.manifest.json")
    return None


def write_manifest(options: argparse.Namespace, findings: dict[str, Any], steps: Steps) -> None:
    """Note what was done. In the cache folder no cell of the table is kept."""
    from slad.core.folders import cache_folder
    from slad.model import light

    path = manifest_path(options)
    if path is not None:
        write_json(path, findings)
        steps.say(f"what was done is noted in {path}")
        return
    moment = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%f")
    path = cache_folder() / "slad" / "runs" / f"{moment}.manifest.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, light(findings))
    except OSError as error:
        warn(f"warning: what was done is noted nowhere: {path.parent}: {error.strerror}")
        return
    steps.say(f"what was done is noted in {path}")


def write_json(path: Path, value: dict[str, Any]) -> None:
    with written_aside(path) as aside:
        aside.write_text(json.dumps(value, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def _stem(path: Path) -> str:
    """A name without its endings, `scores` of scores.csv.gz; dots elsewhere are its own."""
    from slad.tables.formats import of_name

    return Path(path.stem).stem if of_name(path)[1] else path.stem


def _listed(endings: Iterable[str]) -> str:
    return ", ".join(sorted(endings))
