"""The page of any study: what `slad reproduce NAME` prints when it is done."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path

from slad_paper.pages import EXPERIMENTS, build, culprits, false_alarms
from slad_paper.pages.document import Report, as_text
from slad_paper.pages.write import write
from slad_paper.studies import STUDIES

ALARMS = ("false-alarms", "score-errors")
"""Two studies that share a page."""


def page(name: str, folder: Path, *, pictures: bool = True) -> str:
    """Write the page of a study's records to report/ in their folder; what a terminal shows."""
    out = folder / "report"
    if name in EXPERIMENTS:
        return build(folder, out, pictures=pictures)
    if name == "rivals-peer":  # its records are part of the page of rivals
        return build(_beside(folder, "rivals"), out, pictures=pictures)
    if name == "culprits":
        return _written(culprits.read_report(folder), out)
    if name in ALARMS:
        folders = [folder if each == name else _beside(folder, each) for each in ALARMS]
        for each, other in zip(ALARMS, folders, strict=True):
            if not other.is_dir():
                return f"The page is also of {each}, which has no records: slad reproduce {each}"
        return _written(false_alarms.read_report(*folders), out)
    module = import_module(f"slad_paper.studies.{STUDIES[name].module}")
    return "\n".join(module.table(folder))


def _beside(folder: Path, name: str) -> Path:
    """Where the records of another study are, if they are where those of this one are."""
    return folder.with_name(f"{name}-quick" if folder.name.endswith("-quick") else name)


def _written(report: Report, out: Path) -> str:
    paths = write(report, out, pictures=False)
    columns = max(shutil.get_terminal_size((120, 24)).columns, 40)
    return as_text(report, columns) + "\n" + "".join(f"wrote {path}\n" for path in paths)
