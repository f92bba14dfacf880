"""Limits that keep a page small enough to mail, whatever the table holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from slad.report.markup import Html, joined

LARGEST = 5_000_000


@dataclass(frozen=True)
class Limits:
    """Lengths are in characters, sizes in bytes of the page."""

    rows: int = 200
    reasons: int = 5
    name: int = 48
    cell: int = 80
    sentence: int = 300
    values_bytes: int = 2_200_000
    """For the tables of all values, shared evenly by the rows."""
    columns_bytes: int = 700_000
    """For the table of columns."""


# The first that gives a page below LARGEST is taken. The last does even where every character
# of every name and cell becomes an entity of six bytes.
STEPS = (
    Limits(),
    Limits(reasons=3, name=32, cell=48, sentence=160, values_bytes=1_000_000),
    Limits(50, 2, 24, 32, 120, values_bytes=500_000, columns_bytes=250_000),
)


def within(size: int, pieces: Iterable[Html]) -> tuple[Html, int]:
    """The first pieces that fit into `size` bytes, at least one, and their number."""
    taken: list[Html] = []
    for piece in pieces:
        size -= len(piece.encode())
        if taken and size < 0:
            break
        taken.append(piece)
    return joined(*taken), len(taken)
