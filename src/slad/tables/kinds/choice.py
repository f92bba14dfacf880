"""The kind of a column, or why it is left out."""

from __future__ import annotations

from dataclasses import dataclass

from slad.core.errors import ConfigError
from slad.tables.arrow_types import OTHER, TEXT, as_text, family, is_whole
from slad.tables.kinds.facts import Facts, has_words, is_key_name
from slad.tables.kinds.registry import KINDS, recognised

CONSTANT, EMPTY, ID, DROPPED = "constant", "empty", "id", "dropped"
LEFT_OUT = (CONSTANT, EMPTY, ID, DROPPED)

NEARLY_ALL = 0.95
"""From this fraction of different values on a column may be an id, ..."""
FEW_ROWS = 20
"""... but not in fewer rows than these: there, everything is different."""
SHOWN = 40
"""Characters of a constant that are shown."""


@dataclass(frozen=True)
class Choice:
    """The name of a kind, or of a reason to leave the column out."""

    kind: str
    note: str = ""
    constant: str | None = None


def choose(name: str, facts: Facts, *, keep: bool, category: bool) -> Choice:
    """The kind of a column; `keep` overrules what would leave it out."""
    kind = recognised(name, facts) if facts.filled else None
    if kind is None:
        useless = _useless(facts)
        if keep:
            raise ConfigError(f"column {name!r} cannot be kept: {useless.note}")
        return useless
    used = Choice(kind.name, kind.note(facts))
    if category:
        used = Choice(KINDS["category"].name, "a category, as asked")
    left_out = _constant(facts)
    if kind.may_be_id and not category and facts.different >= NEARLY_ALL * facts.filled:
        left_out = left_out or _id(name, facts)
    if left_out and keep:
        return Choice(used.kind, f"kept, as asked; else {left_out.note}")
    return left_out or used


def _useless(facts: Facts) -> Choice:
    if family(facts.type) == OTHER:
        return Choice(DROPPED, f"left out: cells of type {facts.type} are not used")
    return Choice(EMPTY, "left out: no values")


def _constant(facts: Facts) -> Choice | None:
    if facts.different > 1 or facts.missing:
        return None
    value: str = as_text(facts.sample[0:1])[0].as_py()
    shown = value if len(value) <= SHOWN else value[: SHOWN - 1] + "…"
    return Choice(CONSTANT, f"left out: always {shown!r}", constant=value)


def _id(name: str, facts: Facts) -> Choice | None:
    """Only of columns whose values are (nearly) all different."""
    if facts.filled < FEW_ROWS and not is_key_name(name):
        return None
    if family(facts.type) == TEXT and not has_words(facts):
        return Choice(ID, f"left out: {facts.different:,} different values, an id")
    if not is_whole(facts.type):
        return None
    if is_key_name(name):
        return Choice(ID, "left out: (nearly) all different, and named like an id")
    if (ends := facts.counts_up()) is not None:
        return Choice(ID, f"left out: counts from {ends[0]} to {ends[1]}")
    return None
