"""Options from a TOML file (`--config`), which the command line overrides."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from slad.cli.options import RULES
from slad.cli.parser import long_options, parse
from slad.core.errors import ConfigError
from slad.core.names import unknown

UNFIT = ("help", "config")


def parse_with_config(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    """Options from the command line, and those it does not give from the file `--config`.

    The file's options are inserted as words after the command, so that both are checked alike.
    """
    options = parse(parser, words)
    path = getattr(options, "config", None)
    if path is None:
        return options
    given = {name for name, value in vars(options).items() if value is not None}
    if given & set(RULES):
        given |= set(RULES)
    known = [each.removeprefix("--") for each in long_options(options.parser)]
    filled: list[str] = []
    for key, value in _read(path).items():
        name = key.replace("_", "-")
        if name not in known or name in UNFIT:
            raise unknown(f"option of {path}", key, [each for each in known if each not in UNFIT])
        if name.replace("-", "_") not in given:
            filled += _words(name, value, path)
    return parse(parser, [*words[:1], *filled, *words[1:]])


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read --config {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"--config {path} is not TOML: {error}") from None


def _words(name: str, value: Any, path: Path) -> Iterator[str]:
    """`--name=value`, which never takes the next word as its value; one for each list item."""
    if isinstance(value, bool):
        yield from [f"--{name}"] * value
    elif isinstance(value, list):
        for member in value:
            yield from _words(name, member, path)
    elif isinstance(value, dict):
        for key, member in value.items():
            text = str(member).lower() if isinstance(member, bool) else str(member)
            yield f"--{name}={key}={text}"
    elif isinstance(value, str | int | float):
        yield f"--{name}={value}"
    else:
        raise ConfigError(
            f"{name} in {path} is {value!r}; use a string, a number, true, false, a list or a table"
        )
