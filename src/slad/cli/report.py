"""slad report: tables and pictures of recorded runs, or the page of one table's findings."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from slad.cli.paper_commands import build_reports
from slad.cli.parser import add_command
from slad.core.errors import ConfigError, DataError

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def add_parser(subparsers: Subparsers) -> None:
    parser = add_command(
        subparsers,
        "report",
        run,
        takes="PATH [PATH ...]",
        summary="a page of findings, or tables and pictures of recorded runs",
        description="Of the manifest that `slad detect` or `slad score` left: one HTML page. Of "
        "folders of JSON records of an experiment: tables (Markdown, CSV) and pictures (PNG, "
        "SVG), and the main tables on the terminal. Nothing is run; torch is not needed.",
        example="""
            slad report scores.manifest.json --out page.html
            slad report results/adbench
        """,
    )
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="a manifest, or folders of records"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="the page (default: beside the manifest), or the folder of tables "
        "(default: report/<experiment>)",
    )
    parser.add_argument("--no-pictures", action="store_true", help="of records: tables only")


def run(options: argparse.Namespace) -> int:
    """Build the reports and print them."""
    if any(path.is_file() for path in options.paths):
        return _page(options)
    build = build_reports()
    print(build(options.paths, options.out, pictures=not options.no_pictures), end="")
    return 0


def _page(options: argparse.Namespace) -> int:
    from slad.cli.paths import check_outputs
    from slad.report import write_page

    if len(options.paths) > 1:
        raise ConfigError("a page is made of one manifest: give one file, or folders of records")
    source = options.paths[0]
    target = options.out or source.with_name(f"{source.name.partition('.')[0]}.html")
    check_outputs(argparse.Namespace(out=target), source)
    try:
        found = json.loads(source.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise DataError(f"{source} is no manifest of slad, for it is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise DataError(f"{source} is no manifest of slad: it holds a {type(found).__name__}")
    print(f"wrote {write_page(found, target)}")
    return 0
