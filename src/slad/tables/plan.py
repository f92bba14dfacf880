"""What each column is, decided once, on all training rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from slad.core.errors import ConfigError
from slad.core.names import unknown
from slad.tables.dates import FORMAT_KEY
from slad.tables.kinds import USED, ColumnFacts, Facts, Verdict, judge


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
    """How its dates were written, where that was not ISO 8601."""

    @property
    def used(self) -> bool:
        return self.kind in USED


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
    """The same of a table of which only facts are at hand, one of each column."""
    _check_names(schema.names, drop=drop, keep=keep, categories=categories)
    plan = []
    for field, known in zip(schema, facts, strict=True):
        if field.name in drop:
            verdict = Verdict("dropped", "left out: as asked")
        else:
            verdict = judge(
                field.name, known, keep=field.name in keep, category=field.name in categories
            )
        format_ = (field.metadata or {}).get(FORMAT_KEY)
        plan.append(
            ColumnPlan(
                field.name,
                verdict.kind,
                verdict.note,
                field.type,
                verdict.constant,
                format_.decode() if format_ else None,
            )
        )
    return tuple(plan)


def types_of(plan: Sequence[ColumnPlan]) -> dict[str, pa.DataType]:
    """What `read` is to be told, so that a later file is read as the first one was."""
    return {each.name: each.type for each in plan}


def _check_names(present: Sequence[str], **options: Sequence[str]) -> None:
    for option, names in options.items():
        if isinstance(names, str):
            raise ConfigError(f"{option}={names!r}: give a list of column names")
        for name in names:
            if name not in present:
                raise unknown("column", name, present)
    for option in ("keep", "categories"):
        if both := sorted(set(options["drop"]) & set(options[option])):
            raise ConfigError(f"{both[0]!r} stands in drop and in {option}: choose one")
