"""The commands of slad-paper, a separate distribution that adds them as entry points."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from slad.core.errors import ConfigError

COMMANDS = "slad.commands"
"""Entry points that add their commands to the parser, which they are called with."""
REPORTS = "slad.reports"
"""Entry points that write tables and pictures of the folders of records they are called with."""
PACKAGE = "slad-paper"
KNOWN = {
    "data": "list, fetch and check datasets",
    "learn-signals": "learn the weights of the default detector again",
    "reproduce": "run an experiment of the paper",
}
"""The commands of slad-paper, which the help lists even where it is not installed."""


def add_parsers(commands: Any) -> None:
    """Add the installed commands; a known one that is missing says how to install it."""
    found = {each.name: each for each in entry_points(group=COMMANDS)}
    for name in sorted(found.keys() | KNOWN.keys()):
        if name in found:
            found[name].load()(commands)
        else:
            _add_missing(commands, name)


def build_reports() -> Callable[..., str]:
    """The function that writes reports of recorded runs."""
    for each in entry_points(group=REPORTS):
        build: Callable[..., str] = each.load()
        return build
    raise not_installed("slad report FOLDER")


def not_installed(what: str) -> ConfigError:
    return ConfigError(f"{what} needs {PACKAGE}, which is not installed: pip install {PACKAGE}")


def _add_missing(commands: Any, name: str) -> None:
    parser = commands.add_parser(
        name,
        help=f"{KNOWN[name]} (needs {PACKAGE})",
        description=f"{KNOWN[name].capitalize()}. Needs {PACKAGE}: pip install {PACKAGE}",
    )
    parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.set_defaults(run=_run_missing, parser=parser, missing=name)


def _run_missing(options: argparse.Namespace) -> int:
    raise not_installed(f"slad {options.missing}")
