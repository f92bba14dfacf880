"""What a long case has done so far, on disk, so that a later start goes on where one stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from slad.core.errors import ConfigError


class Partial:
    """Outcomes by name, a line of JSON each, until they are a record and the file is removed.

    The first line is the identity of the case.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        self.outcomes: dict[str, dict[str, Any]] = {}
        text = path.read_text("utf-8") if path.is_file() else ""
        whole = text[: text.rfind("\n") + 1]  # a kill can cut the last line
        begun, *lines = [json.loads(line) for line in whole.splitlines()] or [identity]
        if begun != identity:
            raise ConfigError(
                f"{path} was begun with other settings than those of today: delete it, or give "
                "another --out"
            )
        self.outcomes.update(lines)
        path.write_text(whole or _line(identity), "utf-8")

    def add(self, name: str, outcome: dict[str, Any]) -> None:
        self.outcomes[name] = outcome
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line([name, outcome]))

    def remove(self) -> None:
        self.path.unlink()


def _line(value: Any) -> str:
    return json.dumps(value) + "\n"
