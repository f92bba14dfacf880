"""Commands that slad-paper, a package of its own, adds by entry point when it is installed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from slad.core.errors import ConfigError

COMMANDS = "slad.commands"
"""Entry points that are called with the commands of the parser, to add their own."""
REPORTS = "slad.reports"
"""Entry points that are called with folders of records, to make tables and pictures."""
PACKAGE = "slad-paper"
KNOWN = {
    "data": "list, fetch and check datasets",
    "reproduce": "run an experiment of the paper",
}
"""What slad-paper adds: named in the help whether it is installed or not."""


def add_parsers(commands: Any) -> None:
    """Every installed command, and for each known one that is missing how to install it."""
    found = {each.name: each for each in entry_points(group=COMMANDS)}
    for name in sorted(found.keys() | KNOWN.keys()):
        if name in found:
            found[name].load()(commands)
        else:
            _add_missing(commands, name)


def build_reports() -> Callable[..., str]:
    """What makes reports of recorded runs."""
    for each in entry_points(group=REPORTS):
        build: Callable[..., str] = each.load()
        return build
    raise not_installed("a report of recorded runs")


def not_installed(what: str) -> ConfigError:
    return ConfigError(f"{what} needs {PACKAGE}, which is not installed: pip install {PACKAGE}")


def _add_missing(commands: Any, name: str) -> None:
    parser = commands.add_parser(
        name,
        help=f"{KNOWN[name]} (needs {PACKAGE})",
        description=f"{KNOWN[name].capitalize()}. It needs {PACKAGE}: pip install {PACKAGE}",
    )
    parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.set_defaults(run=_run_missing, parser=parser, missing=name)


def _run_missing(options: argparse.Namespace) -> int:
    raise not_installed(f"slad {options.missing}")
