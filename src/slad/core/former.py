"""Former names, all in one table: what slad 0.1 called things, and what they are called now.

In 0.1 `SLAD` and "slad" meant what is `NeighborScale` and "neighbor-scale" today, and the paper's
method was `SubspaceSLAD` and "slad-subspaces". The word `SLAD` changed its meaning, so whoever
reads a saved model or a record looks at the version that wrote it.
"""

from __future__ import annotations

from typing import Any

RENAMED = (0, 2)
"""The version from which names mean what they mean today."""

RECIPES: dict[str, tuple[str, dict[str, Any]]] = {"slad-subspaces": ("slad", {"epochs": 10})}
"""Former registry name: (today's name, the parameters that make it what it was)."""
CLASSES = {"SLAD": "NeighborScale", "SubspaceSLAD": "SLAD"}
"""Class name in a model saved before `RENAMED`: today's."""
PUBLIC = {"SubspaceSLAD": "SLAD"}
"""Former name in the package `slad`: today's."""
LABELS = {"slad": "neighbor-scale"}
"""Registry name in a record made before `RENAMED`: today's. "slad-subspaces" keeps its label."""


def is_former(version: str | None) -> bool:
    """Whether the slad of this version wrote the former names.

    >>> is_former("0.1.0"), is_former("0.2.0"), is_former("1.0"), is_former(None)
    (True, False, False, False)
    """
    if not version:
        return False
    return tuple(int(part) for part in version.split(".")[:2]) < RENAMED


def class_name(name: Any, version: str | None) -> Any:
    """Today's class name of a detector in a model that `version` saved."""
    return CLASSES.get(name, name) if is_former(version) else name


def label(text: str, version: str | None) -> str:
    """Today's name of a detector in a record that `version` made.

    >>> label("slad[weighting=equal]", "0.1.0"), label("slad", "0.2.0")
    ('neighbor-scale[weighting=equal]', 'slad')
    """
    if not is_former(version):
        return text
    name, bracket, parameters = text.partition("[")
    return LABELS.get(name, name) + bracket + parameters
