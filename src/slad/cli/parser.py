"""The argument parser that all commands use."""

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
    """argparse with short errors: a long usage text would push the message off the screen."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **({"allow_abbrev": False} | options))

    def error(self, message: str) -> NoReturn:
        if message.endswith("are required: FILE"):  # `--drop A FILE` takes FILE for a column
            message += (
                f"; put FILE before options that take several values: {self.prog} FILE --drop A B"
            )
        self.exit(2, f"slad: {message}\nslad: see {self.prog} --help\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """argparse lists all commands for a mistyped one; name the nearest first."""
        if isinstance(action, argparse._SubParsersAction) and value not in action.choices:
            self.error(str(unknown(f"command of {self.prog}", value, action.choices)))
        super()._check_value(action, value)


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
    """Add a command with its help: description, options, example. A command that only holds other
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
    """The options in a list of words; the error for a misspelt option names the nearest ones."""
    options, left = parser.parse_known_args(words)
    if not left:
        return options
    chosen = getattr(options, "parser", parser)
    if left[0].startswith("--"):
        raise unknown("option", left[0].partition("=")[0], long_options(chosen))
    raise ConfigError(f"unexpected argument {left[0]!r}; see {chosen.prog} --help")


def long_options(parser: argparse.ArgumentParser) -> list[str]:
    return [each for each in parser._option_string_actions if each.startswith("--")]


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser by name; empty if it has none."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def every_parser(
    parser: argparse.ArgumentParser, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """A parser and all parsers below it, each with the words that lead to it."""
    yield path, parser
    for name, below in subcommands(parser).items():
        yield from every_parser(below, (*path, name))
