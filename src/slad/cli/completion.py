"""`slad completion SHELL`: print a tab-completion script made from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from slad.cli import shells
from slad.cli.parser import add_command, every_parser, subcommands
from slad.cli.shells import Place, Value

PATHS = ("FILE", "MODEL", "PATH", "PATH.html", "TOML", "DIR", "FOLDER")
"""Metavariables that stand for files."""
SHELLS: dict[str, Callable[[list[Place]], str]] = {
    "bash": shells.bash,
    "zsh": shells.zsh,
    "fish": shells.fish,
}


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "completion",
        run,
        takes="{bash,zsh,fish}",
        summary="print tab completion for bash, zsh or fish",
        description="Print a script that completes the commands, options and file names of slad.",
        example="""
            slad completion bash > ~/.local/share/bash-completion/completions/slad
            slad completion zsh > ~/.zfunc/_slad            # a folder of $fpath
            slad completion fish > ~/.config/fish/completions/slad.fish
        """,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell to print it for")


def run(options: argparse.Namespace) -> int:
    from slad.cli import make_parser

    print(SHELLS[options.shell](places(make_parser())), end="")
    return 0


def places(parser: argparse.ArgumentParser) -> list[Place]:
    """Every command with the words that may follow it."""
    return [_place(path, each) for path, each in every_parser(parser, ("slad",))]


def _place(path: tuple[str, ...], parser: argparse.ArgumentParser) -> Place:
    summaries: dict[str, str] = {}
    options, positional = [], Value()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
        elif action.option_strings:
            names = tuple(name for name in action.option_strings if name.startswith("--"))
            options += [(name, _plain(action.help), _value(action)) for name in names]
        elif not positional.files:  # MODEL and FILE are both files, so the first one is enough
            positional = _value(action)
    commands = {name: summaries.get(name, "") for name in subcommands(parser)}
    return Place(" ".join(path), commands, options, positional)


def _value(action: argparse.Action) -> Value:
    taken = action.nargs != 0
    choices = tuple(str(choice) for choice in action.choices or ())
    return Value(taken, choices, taken and not choices and action.metavar in PATHS)


def _plain(text: str | None) -> str:
    return (text or "").replace("%%", "%")
