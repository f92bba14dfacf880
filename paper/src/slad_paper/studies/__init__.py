"""The studies of the laboratory, all of which `slad reproduce NAME` starts."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slad_paper.runner.study import Study


@dataclass(frozen=True)
class Entry:
    """A study in the registry (studies.toml), which is read without loading the study."""

    summary: str
    module: str
    """The module under `slad_paper.studies` whose `STUDY` it is."""
    kind: str = "paper"
    """"paper", "beyond" or "search"."""
    compares: bool = False
    """Whether it runs detectors on datasets, of which some can be chosen; else it has cases."""
    detectors: bool = False
    """Whether its cases are of detectors, of which some can be chosen."""

    def load(self) -> Study:
        study: Study = import_module(f"{__name__}.{self.module}").STUDY
        return study


STUDIES = {
    name: Entry(**{"module": name.replace("-", "_")} | entry)
    for name, entry in tomllib.loads(
        files(__name__).joinpath("studies.toml").read_text("utf-8")
    ).items()
}
"""All studies by name, in the order of the help text."""
