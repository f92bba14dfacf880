"""The command line. `slad --help` lists the commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from slad.cli import (
    completion,
    demo,
    detect,
    explain,
    export,
    fit,
    info,
    paper_commands,
    report,
    score,
)
from slad.cli.config import parse_with_config
from slad.cli.options import settle
from slad.cli.parser import Parser
from slad.cli.progress import warnings_as_lines
from slad.core.errors import ConfigError, SladError
from slad.core.extras import not_installed
from slad.core.version import __version__

COMMANDS = (
    demo,
    detect,
    fit,
    score,
    explain,
    export,
    info,
    report,
    completion,
)
ERROR, USAGE, INTERRUPTED = 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 success, 1 an error, 2 a wrong command line,
    3 a flagged row with `--fail-on-anomaly`, 130 Ctrl-C."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        options = settle(parse_with_config(make_parser(), words))
        options.words = words
        with warnings_as_lines():
            code: int = options.run(options)
        sys.stdout.flush()
    except SladError as error:
        return _say(str(error), USAGE if isinstance(error, ConfigError) else ERROR)
    except KeyboardInterrupt:
        return _say("interrupted; no incomplete file is left", INTERRUPTED)
    except BrokenPipeError:  # the reader of stdout closed it, as `| head` does
        _leave_stdout()
        return 0
    except ImportError as error:
        return _say_missing(error)
    except MemoryError:
        return _say("not enough memory for this table; use fewer rows", ERROR)
    except OSError as error:  # a full disk, a deleted folder; files are renamed when complete
        _leave_stdout()
        where = f"{error.filename}: " if error.filename else ""
        return _say(f"{where}{error.strerror or error}; no incomplete file is left", ERROR)
    return code


def make_parser() -> Parser:
    """The parser of all commands; making it imports no heavy library."""
    parser = Parser(prog="slad", description="Fast, honest anomaly detection for tables.")
    parser.add_argument("--version", action="version", version=f"slad {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", required=True)
    for command in COMMANDS:
        command.add_parser(commands)
    paper_commands.add_parsers(commands)
    return parser


def _leave_stdout() -> None:
    """Stop Python from reporting an unwritable stdout a second time when it exits."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say_missing(error: ImportError) -> int:
    """Name the extra to install; any other missing module is a bug and keeps its traceback."""
    missing = error if isinstance(error, ModuleNotFoundError) else error.__cause__
    extra = not_installed(missing) if isinstance(missing, ModuleNotFoundError) else None
    if extra is None:
        raise error
    return _say(str(extra), ERROR)


def _say(message: str, code: int) -> int:
    print(f"slad: {message}", file=sys.stderr)
    return code
