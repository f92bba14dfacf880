"""Names of detectors in records: those of 0.1 become today's, and a former one is explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from slad.core import former
from slad_paper.pages.document import Notes, Report, Table

NEIGHBOR_SCALE = "neighbor-scale"
SUBSPACES = "slad-subspaces"
ABOUT_SUBSPACES = (
    f"{SUBSPACES} is SLAD(epochs=10), slad's settings in 0.1; since 0.2 SLAD() has 30 epochs"
)


def today(name: str, environment: Mapping[str, Any]) -> str:
    """Today's name of a detector in a record that was made in this environment.

    >>> today("slad", {"slad": "0.1.0"}), today("slad", {"slad": "0.2.0"})
    ('neighbor-scale', 'slad')
    """
    return former.label(name, environment.get("slad"))


def class_today(text: str, environment: Mapping[str, Any]) -> str:
    """The same of a text that names the default detector by its class.

    >>> class_today("committee: loss, SLAD()", {"slad": "0.1.0"})
    'committee: loss, NeighborScale()'
    """
    if not former.is_former(environment.get("slad")):
        return text
    return text.replace("SLAD()", f"{former.CLASSES['SLAD']}()")


def explained(report: Report) -> Report:
    """The report with a note on `slad-subspaces` where one of its tables has that name."""
    tables = [part for part in (*report.brief, *report.details) if isinstance(part, Table)]
    texts = [text for table in tables for text in table.header]
    texts += [cell.text for table in tables for row in table.rows for cell in row]
    if not any(SUBSPACES in text for text in texts):
        return report
    return replace(report, brief=[*report.brief, Notes([ABOUT_SUBSPACES])])
