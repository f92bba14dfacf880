"""Where a command writes: checked before the work, so that hours do not end in an error."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterable
from pathlib import Path

from slad.core.errors import ConfigError, DataError

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
    from slad.tables.formats import ENDINGS, of_name

    if out not in (None, STDOUT) and of_name(Path(str(out)))[0] is None:
        raise ConfigError(f"--out {out}: the ending says no format; there are: {_listed(ENDINGS)}")


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


def _listed(endings: Iterable[str]) -> str:
    return ", ".join(sorted(endings))
