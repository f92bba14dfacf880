"""`ColumnPlan`: the kind of each column, decided once, on all training rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import pyarrow as pa

from slad.core.errors import ArtifactError, ConfigError
from slad.core.names import unknown
from slad.core.state import State
from slad.tables.arrow_types import type_from_text, type_text
from slad.tables.dates import FORMAT_KEY
from slad.tables.kinds import DROPPED, KINDS, LEFT_OUT, Choice, ColumnFacts, Facts, choose


@dataclass(frozen=True)
class ColumnPlan:
    """A column's kind and type. `note` says why it is left out, or what is unusual about it."""

    name: str
    kind: str
    note: str
    type: pa.DataType
    constant: str | None = None
    """The one value of a column of the kind "constant", as text."""
    format: str | None = None
    """The format of its dates, where that is not ISO 8601."""

    @property
    def used(self) -> bool:
        return self.kind in KINDS

    def state(self) -> State:
        names = ("name", "kind", "note", "constant", "format")
        plain = {name: getattr(self, name) for name in names}
        return State(plain | {"type": type_text(self.type)}, {})

    @classmethod
    def from_state(cls, state: State) -> Self:
        try:
            column = cls(**state.values)
        except TypeError as error:
            raise ArtifactError(f"not the plan of a column: {state.values!r}") from error
        if column.kind not in (*KINDS, *LEFT_OUT):
            raise ArtifactError(f"column {column.name!r} has the unknown kind {column.kind!r}")
        return replace(column, type=type_from_text(state.values["type"]))


def plan_columns(
    frame: pa.Table,
    *,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    categories: Sequence[str] = (),
) -> tuple[ColumnPlan, ...]:
    """The kind of every column, in the table's order.

    `drop` leaves columns out, `keep` uses columns that would be left out (ids, constants), and
    `categories` takes columns for categories whatever their type.
    """
    facts = [ColumnFacts(column) for column in frame.columns]
    return plan_of(frame.schema, facts, drop=drop, keep=keep, categories=categories)


def plan_of(
    schema: pa.Schema,
    facts: Sequence[Facts],
    *,
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    categories: Sequence[str] = (),
) -> tuple[ColumnPlan, ...]:
    """The same for a table of which only facts are known, one `Facts` for each column."""
    _check_names(schema.names, drop=drop, keep=keep, categories=categories)
    plan = []
    for field, known in zip(schema, facts, strict=True):
        if field.name in drop:
            choice = Choice(DROPPED, "left out: as asked")
        else:
            choice = choose(
                field.name, known, keep=field.name in keep, category=field.name in categories
            )
        format_ = (field.metadata or {}).get(FORMAT_KEY)
        plan.append(
            ColumnPlan(
                field.name,
                choice.kind,
                choice.note,
                field.type,
                choice.constant,
                format_.decode() if format_ else None,
            )
        )
    return tuple(plan)


def types_of(plan: Sequence[ColumnPlan]) -> dict[str, pa.DataType]:
    """`types` for `read`, so that a later file is read as the first one was."""
    return {each.name: each.type for each in plan}


def _check_names(present: Sequence[str], **options: Sequence[str]) -> None:
    for option, names in options.items():
        if isinstance(names, str):
            raise ConfigError(f"{option}={names!r} is not a list: give a list of column names")
        for name in names:
            if name not in present:
                raise unknown("column", name, present)
    for option in ("keep", "categories"):
        if both := sorted(set(options["drop"]) & set(options[option])):
            raise ConfigError(f"{both[0]!r} is in drop and in {option}: choose one")
