"""slad data: list the datasets, fetch them, check the files that are there, build the suite."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slad.cli.parser import add_command
from slad.core.errors import ConfigError, DataError
from slad_paper.cli.suite import add_suite

if TYPE_CHECKING:
    from slad_paper.datasets.catalog import Entry, File
    from slad_paper.datasets.progress import ProgressLine

HEADER = (
    "name", "group", "rows", "features", "anomalies", "share", "size", "here", "licence",
)  # fmt: skip
NUMBERS = range(2, 7)


def add_parser(subparsers: Any) -> None:
    """Add `data` with its four commands to the parser of the main program."""
    parser = add_command(
        subparsers,
        "data",
        None,
        takes="COMMAND",
        summary="list, fetch and check datasets",
        description="The labelled tables that slad knows for experiments. They lie under the "
        "folder that SLAD_DATA names, else under the user's cache folder.",
        example="""
            slad data list --here
            slad data fetch 38_thyroid
        """,
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_list(commands)
    _add_fetch(commands)
    _add_check(commands)
    add_suite(commands)


def _add_list(commands: Any) -> None:
    parser = add_command(
        commands,
        "list",
        run_list,
        of="slad data",
        takes="",
        summary="what slad knows, and what is here",
        description="One line a dataset: its size, its anomalies, whether it is here.",
        example="slad data list --group adbench",
    )
    parser.add_argument("--group", metavar="G", help="this group only")
    parser.add_argument("--here", action="store_true", help="only what needs no download")


def _add_fetch(commands: Any) -> None:
    parser = add_command(
        commands,
        "fetch",
        run_fetch,
        of="slad data",
        takes="[NAME ...]",
        summary="download to the data root, and check",
        description="Download datasets, going on where a broken connection stopped, and compare "
        "them with their checksums.",
        example="slad data fetch 38_thyroid 14_glass",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="datasets to fetch")
    parser.add_argument("--group", metavar="G", help="all datasets of this group")
    parser.add_argument("--all", action="store_true", help="all datasets")
    parser.add_argument("--again", action="store_true", help="also what is here already")


def _add_check(commands: Any) -> None:
    parser = add_command(
        commands,
        "check",
        run_check,
        of="slad data",
        takes="[NAME ...]",
        summary="compare the files here with their checksums",
        description="Compare the files under the data root with the checksums of the catalog.",
        example="slad data check",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these datasets")


def run_list(options: argparse.Namespace) -> int:
    from slad_paper.datasets import data_root, find, names
    from slad_paper.datasets.store import is_here

    entries = [find(name) for name in names(options.group)]
    root = data_root()
    here = {entry.name: is_here(entry, root) for entry in entries}
    shown = [entry for entry in entries if here[entry.name] or not options.here]
    print("\n".join(_table([HEADER, *(_row(entry, here[entry.name]) for entry in shown)])))
    there = sum(here[entry.name] for entry in shown)
    print(f"\n{len(shown)} datasets, {there} of them here; data root {root}")
    return 0


def _row(entry: Entry, here: bool) -> tuple[str, ...]:
    from slad_paper.datasets.progress import human

    size = "-" if not entry.files else "?" if entry.bytes is None else human(entry.bytes)
    return (
        entry.name,
        entry.group,
        f"{entry.rows:,}",
        f"{entry.features:,}",
        f"{entry.anomalies:,}",
        f"{entry.anomalies / entry.rows:.2%}",
        size,
        "built in" if not entry.files else "yes" if here else "no",
        entry.licence,
    )


def _table(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if place in NUMBERS else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def run_fetch(options: argparse.Namespace) -> int:
    from slad_paper.datasets import data_root, find, names
    from slad_paper.datasets.progress import ProgressLine

    chosen = list(options.names)
    if options.group:
        chosen += names(options.group)
    if options.all:
        chosen += names()
    if not chosen:
        raise ConfigError("nothing to fetch: give names, --group G or --all (see slad data list)")
    entries = [find(name) for name in dict.fromkeys(chosen)]
    root, line = data_root(), ProgressLine(sys.stderr)
    failed = [entry.name for entry in entries if not _fetch(entry, root, options.again, line)]
    if len(entries) > 1:
        print(f"{len(entries) - len(failed)} of {len(entries)} datasets are here ({root})")
    return 1 if failed else 0


def _fetch(entry: Entry, root: Path, again: bool, line: ProgressLine) -> bool:
    """Fetch one dataset and say what happened; False when it failed."""
    from slad_paper.datasets.fetch import fetch
    from slad_paper.datasets.progress import human
    from slad_paper.datasets.store import note_path

    try:
        came = fetch(entry, root, progress=line, again=again)
    except DataError as error:
        line.close()
        print(f"slad: {error}", file=sys.stderr)
        return False
    line.close()
    for file in came:
        print(f"{entry.name}: {file.path} ({human(file.bytes)}), sha256 {file.sha256}")
        if file.noted:
            print(
                f"{entry.name}: the catalog knows no checksum of it; this one is noted in "
                f"{note_path(file.path).name} and checked from now on"
            )
    if not came:
        print(f"{entry.name}: {'is here already' if entry.files else 'is built in'}")
    return True


def run_check(options: argparse.Namespace) -> int:
    from slad_paper.datasets import data_root, find, names

    root = data_root()
    entries = [find(name) for name in options.names or names()]
    files: dict[str, tuple[File, Entry]] = {}
    for entry in entries:
        for file in entry.files:
            files.setdefault(file.path, (file, entry))  # some datasets share files
    said = {"right": 0, "unknown": 0, "wrong": 0, "missing": 0}
    for file, entry in files.values():
        if options.names or (root / file.path).is_file():
            said[_check(file, entry, root)] += 1
    print(
        f"{sum(said.values())} files under {root}: {said['right']} right, "
        f"{said['wrong']} wrong, {said['missing']} missing, {said['unknown']} without a checksum"
    )
    return 1 if said["wrong"] or said["missing"] else 0


def _check(file: File, entry: Entry, root: Path) -> str:
    """Print one line on a file, and give its state."""
    from slad_paper.datasets.store import verify_file

    try:
        state = "right" if verify_file(file, entry, root) else "unknown"
        print(f"{state:8} {file.path}")
    except DataError as error:
        state = "wrong" if (root / file.path).is_file() else "missing"
        print(f"{state:8} {file.path}: {error}")
    return state
