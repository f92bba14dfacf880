"""Checks of input and output paths, made before the work so that no run fails at its end."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from slad.core.errors import ConfigError, DataError

STDOUT = "-"
PAGES = (".html", ".htm")


def check_files(
    options: argparse.Namespace, *tables: str | None, model: Path | None = None
) -> None:
    """Check that inputs exist and outputs can be written, for a command that scores a table."""
    check_inputs(*tables)
    check_outputs(options, *tables, model)
    check_table_ending(options.out)


def check_outputs(options: argparse.Namespace, *inputs: str | Path | None) -> None:
    """Raise if an output cannot be written or would overwrite an input."""
    taken: dict[Path, str] = {}
    sources = [Path(each) for each in inputs if each not in (None, STDOUT)]
    for option in ("out", "report", "manifest", "onnx"):
        given = getattr(options, option, None)
        if given is None or given == STDOUT:
            continue
        path = Path(given)
        _check_place(option, path)
        if option == "report" and path.suffix.lower() not in PAGES:
            raise ConfigError(
                f"--report {path}: a report is an HTML page; use a name ending in .html"
            )
        for source in sources:
            if path.exists() and source.exists() and path.samefile(source):
                raise ConfigError(f"--{option} {path} would overwrite the input; use another name")
        if (same := path.absolute()) in taken:
            raise ConfigError(f"--{option} and --{taken[same]} are both {path}; use two names")
        taken[same] = option


def check_table_ending(out: str | None) -> None:
    """Raise if the ending of --out is not that of a file format."""
    from slad.tables.formats import endings, of_name

    if out in (None, STDOUT):
        return
    found, _ = of_name(Path(str(out)))
    if found is None or found.write is None:
        known = ", ".join(sorted(endings(written=True)))
        raise ConfigError(f"--out {out}: unknown file format; use a name ending in {known}")


def check_inputs(*paths: str | Path | None) -> None:
    """Raise if a file does not exist; patterns are resolved later."""
    for path in paths:
        if path is None or path == STDOUT or re.search(r"[*?\[]", str(path)):
            continue
        if not Path(path).exists():
            raise DataError(f"{path} does not exist")


def _check_place(option: str, path: Path) -> None:
    if path.is_dir():
        raise ConfigError(f"--{option} {path} is a folder; use the name of a file")
    if not path.parent.is_dir():
        raise ConfigError(
            f"--{option} {path}: the folder {path.parent} does not exist; create it first"
        )
    if not os.access(path.parent, os.W_OK):
        raise ConfigError(f"--{option} {path}: no permission to write to the folder {path.parent}")
