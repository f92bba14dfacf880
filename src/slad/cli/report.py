"""`slad report PATH`: a report of one scored table, or tables and pictures of recorded runs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from slad.cli.paper_commands import build_reports
from slad.cli.parser import add_command
from slad.cli.paths import check_inputs, check_outputs
from slad.core.errors import ConfigError, DataError

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "report",
        run,
        takes="PATH [PATH ...]",
        summary="write a report from a manifest, or of recorded runs (needs slad-paper)",
        description="Write an HTML page from a manifest that `slad detect` or `slad score` wrote. "
        "Or, with slad-paper installed, write tables and pictures from folders of JSON records "
        "of an experiment, and print the main tables. Nothing is fitted or scored.",
        example="""
            slad report scores.manifest.json --out page.html
            slad report results/adbench
        """,
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="manifest, or folders of records"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="file for the page (default: beside the manifest), or folder for the tables "
        "(default: report/<experiment>)",
    )
    parser.add_argument(
        "--no-pictures", action="store_true", help="of recorded runs, write only tables"
    )


def run(options: argparse.Namespace) -> int:
    """Write a page from a manifest, or reports of recorded runs."""
    check_inputs(*options.paths)
    if any(path.is_file() for path in options.paths):
        return _page(options)
    build = build_reports()
    print(build(options.paths, options.out, pictures=not options.no_pictures), end="")
    return 0


def _page(options: argparse.Namespace) -> int:
    from slad.model import Findings
    from slad.report import write_page

    if len(options.paths) > 1:
        raise ConfigError("a page is made from one manifest; give one file, or folders of records")
    source = options.paths[0]
    target = options.out or source.with_name(f"{source.name.partition('.')[0]}.html")
    check_outputs(argparse.Namespace(out=target), source)
    try:
        found = json.loads(source.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DataError(f"{source} is not a slad manifest: it is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise DataError(f"{source} is not a slad manifest: it holds a {type(found).__name__}")
    try:
        page = write_page(Findings.from_json(found), target)
    except DataError as error:
        raise DataError(f"{source}: {error}") from None
    print(f"report written to {page}")
    return 0
