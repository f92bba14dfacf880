"""The manifest: a JSON file beside the results that says how they were made."""

from __future__ import annotations

import argparse
import json
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slad.cli.options import DEFAULT_RULE, chosen_rule
from slad.cli.paths import STDOUT
from slad.cli.progress import Steps, warn
from slad.core.files import written_aside

if TYPE_CHECKING:
    from slad.model import Findings


def manifest_path(options: argparse.Namespace) -> Path | None:
    """Where the manifest goes: `--manifest`, else beside the output; None for the cache folder."""
    if options.manifest is not None:
        return Path(options.manifest)
    for name in ("out", "report"):
        given = getattr(options, name, None)
        if given not in (None, STDOUT):
            path = Path(given)
            return path.with_name(f"{_stem(path)}.manifest.json")
    return None


def write_manifest(
    options: argparse.Namespace, found: Findings | dict[str, Any], steps: Steps
) -> None:
    """Write findings, or facts of a model. In the cache folder they hold no cell of the table."""
    from slad.core.folders import cache_folder

    path = manifest_path(options)
    if path is not None:
        write_json(path, found if isinstance(found, dict) else found.to_json())
        steps.say(f"manifest written to {path}")
        return
    moment = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%f")
    path = cache_folder() / "slad" / "runs" / f"{moment}.manifest.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, found if isinstance(found, dict) else found.without_cells().to_json())
    except OSError as error:
        warn(f"warning: manifest not written: {path.parent}: {error.strerror}")
        return
    steps.say(f"manifest written to {path}")


def write_json(path: Path, value: dict[str, Any]) -> None:
    with written_aside(path) as aside:
        aside.write_text(json.dumps(value, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def command(options: argparse.Namespace) -> str:
    """The command line of this run."""
    return shlex.join(["slad", *options.words])


def repeatable_command(options: argparse.Namespace) -> str:
    """The command line with its defaults written out, so that a later slad does the same."""
    words = list(options.words)
    if "seed" in options and "--seed" not in words:
        words += ["--seed", str(options.seed)]
    if "model" not in options and chosen_rule(options) is None:
        words += [f"--{DEFAULT_RULE[0]}", f"{DEFAULT_RULE[1]:g}"]
    return shlex.join(["slad", *words])


def _stem(path: Path) -> str:
    """The name without its endings: `scores` of scores.csv.gz. Other dots belong to the name."""
    from slad.tables.formats import of_name

    return Path(path.stem).stem if of_name(path)[1] else path.stem
