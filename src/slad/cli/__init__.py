"""The command line: parse, call, print. `slad --help` lists the commands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from slad.cli import data, report, reproduce
from slad.core.errors import SladError
from slad.core.version import __version__

COMMANDS = (data, reproduce, report)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Its exit code: 0 all well, 1 something is wrong, 2 bad input, 130 Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="slad", description="Fast, honest anomaly detection for tables."
    )
    parser.add_argument("--version", action="version", version=f"slad {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except SladError as error:
        print(f"slad: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nslad: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output is gone, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code
