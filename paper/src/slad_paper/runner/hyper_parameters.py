"""The four hyper-parameters of the paper's sensitivity test, and the values it gave them.

>>> [studied.letter for studied in STUDIED]
['c', 'r', 'h', 'γ']
>>> STUDIED[0].contender(2), STUDIED[0].contender(10)
('slad-released[group_size=2]', 'slad-released')
"""

from __future__ import annotations

from dataclasses import dataclass

BASE = "slad-released"
"""The recipe that made the paper's figures."""


@dataclass(frozen=True)
class Studied:
    """A parameter that takes several values while the others keep their defaults."""

    letter: str
    """As the paper writes it."""
    name: str
    what: str
    values: tuple[int, ...]
    default: int

    def contender(self, value: int) -> str:
        """The point at the default belongs to all four curves, and runs once."""
        return BASE if value == self.default else f"{BASE}[{self.name}={value}]"


STUDIED = (
    Studied("c", "group_size", "subspaces in a group", (2, 5, 10, 20, 30), 10),
    Studied("r", "n_groups", "groups", (2, 5, 10, 20, 30), 20),
    # The paper says "from 8 to 256" and not which.
    Studied("h", "representation_dim", "width of T", (8, 16, 32, 64, 128, 256), 128),
    Studied("γ", "magnification", "spacing of the labels", (1, 50, 100, 200, 500), 200),
)


def contenders() -> tuple[str, ...]:
    """Every point once, the defaults first."""
    every = [studied.contender(value) for studied in STUDIED for value in studied.values]
    return tuple(dict.fromkeys([BASE, *every]))
