"""The parser of all commands, and how a line of words becomes options."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from slad.core.errors import ConfigError
from slad.core.names import unknown

Run = Callable[[argparse.Namespace], int]
WIDTH = 78


class Parser(argparse.ArgumentParser):
    """argparse, with errors of one line; a long usage would push the message off the screen."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **({"allow_abbrev": False} | options))

    def error(self, message: str) -> NoReturn:
        if message.endswith("are required: FILE"):  # `--drop A FILE` takes FILE for a column
            message += f" (before options of several values: {self.prog} FILE --drop A B)"
        self.exit(2, f"slad: {message}\nslad: see {self.prog} --help\n")


def add_command(
    commands: Any,
    name: str,
    run: Run | None,
    *,
    of: str = "slad",
    takes: str,
    summary: str,
    description: str,
    example: str,
) -> argparse.ArgumentParser:
    """A command with its help: what it does, its options, an example. One that only holds other
    commands has no `run`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        usage=" ".join(f"{of} {name} {takes} [options]".split()),
        help=summary,
        description=textwrap.fill(description, WIDTH),
        epilog="example:\n" + textwrap.indent(textwrap.dedent(example).strip("\n"), "  "),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, parser=parser)
    return parser


def parse(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """The options of a line of words; a misspelt option is named with its neighbours."""
    options, left = parser.parse_known_args(words)
    if not left:
        return options
    chosen = getattr(options, "parser", parser)
    if left[0].startswith("--"):
        raise unknown("option", left[0].partition("=")[0], long_options(chosen))
    raise ConfigError(f"{chosen.prog} does not know what to do with {left[0]!r}")


def long_options(parser: argparse.ArgumentParser) -> list[str]:
    return [each for each in parser._option_string_actions if each.startswith("--")]


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser by name; none for one that does the work itself."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def every_parser(
    parser: argparse.ArgumentParser, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """A parser and all below it, each with the words that lead to it."""
    yield path, parser
    for name, below in subcommands(parser).items():
        yield from every_parser(below, (*path, name))
