"""`RowExplanation`: why a row scores as it does, in the table's own columns and words."""

from __future__ import annotations

from dataclasses import dataclass

from slad.core.errors import DataError

NO_REASON = "no column alone makes it strange"

Shown = list[tuple[str, str]]
"""(column, cell as people read it)."""


@dataclass(frozen=True)
class ColumnReason:
    """One column, or a few that go together, and what is odd about them."""

    columns: tuple[str, ...]
    contribution: float
    """How far the score would fall with usual values there."""
    share: float
    """The contribution as a fraction of all that was found for this row."""
    values: tuple[str, ...]
    usual: tuple[str, ...]
    nearest: tuple[str, ...]
    """The values in the nearest normal row."""
    sentence: str

    def __post_init__(self) -> None:
        for name in ("values", "usual", "nearest"):
            if len(getattr(self, name)) != len(self.columns):
                raise DataError(
                    f"has {len(self.columns)} columns but {len(getattr(self, name))} {name}"
                )


@dataclass(frozen=True)
class RowExplanation:
    """The reasons of a row, strongest first, and the nearest normal row."""

    row: int
    """Position in the table, from 0 as in numpy. Files and pages count rows from 1."""
    reasons: list[ColumnReason]
    values: Shown
    nearest: Shown

    @property
    def sentence(self) -> str:
        """The first reason, or that there is none."""
        return self.reasons[0].sentence if self.reasons else NO_REASON
