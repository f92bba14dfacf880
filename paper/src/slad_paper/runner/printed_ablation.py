"""The paper's ablation table as printed (printed_ablation.toml), and our names of its variants.

>>> thyroid = table()["Thyroid"]
>>> thyroid.slad, thyroid.variants["w/ L_ce"]
(0.995, Printed(auc_roc=0.674, rate=47.6))
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

BASE = "slad-released"
"""What is ablated: the recipe that made the paper's tables."""


@dataclass(frozen=True)
class Variant:
    """SLAD with one thing changed."""

    name: str
    """As the paper prints it."""
    ours: str
    """The contender that stands for it here."""
    block: str
    """The half of the table it belongs to."""
    about: str


@dataclass(frozen=True)
class Printed:
    """AUC-ROC of a variant, and SLAD's improvement over it in percent of it."""

    auc_roc: float
    rate: float


@dataclass(frozen=True)
class Row:
    """A dataset, or MVTec's mean of 15; None where the paper has no number."""

    slad: float
    variants: Mapping[str, Printed | None]


def variants() -> tuple[Variant, ...]:
    """In the order of the paper's columns."""
    return tuple(Variant(**entry) for entry in _document()["variants"])


def table() -> dict[str, Row]:
    """Title of a row of the main table -> its row here."""
    return {
        entry["title"]: Row(
            entry["SLAD"],
            {
                each.name: Printed(*entry[each.name]) if entry[each.name] else None
                for each in variants()
            },
        )
        for entry in _document()["rows"]
    }


@cache
def _document() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("printed_ablation.toml").read_text("utf-8"))
