"""Tables of chosen classes of Fashion-MNIST: `fmnist-024-vs-7` has 0, 2 and 4 normal, 7 strange.

They are not listed in the catalog, for there are thousands of them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from types import MappingProxyType

from slad.core.errors import ConfigError
from slad_paper.datasets.catalog import Entry

NAME = re.compile(r"fmnist-(\d+)-vs-(\d)")
NORMAL, ODD = 2000, 500
"""Rows of the normal classes together, as many of each, and of the strange one."""


def task(normal: str, odd: int) -> str:
    """The name of the table with these normal classes.

    >>> task("402", 7)
    'fmnist-024-vs-7'
    """
    return f"fmnist-{''.join(sorted(normal))}-vs-{odd}"


def of_table(name: str) -> tuple[int, int]:
    """How many classes are normal in a table, and which one is strange.

    >>> of_table("fmnist-024-vs-7")
    (3, 7)
    """
    found = NAME.fullmatch(name)
    if not found:
        raise ConfigError(f"{name!r} is no table of chosen classes, such as fmnist-024-vs-7")
    return len(found[1]), int(found[2])


def of_classes(name: str, listed: Entry) -> Entry | None:
    """What is known of a table of that name, from the entry of any listed one; None for another."""
    found = NAME.fullmatch(name)
    if not found:
        return None
    classes, odd = found[1], found[2]
    if odd in classes or len(set(classes)) < len(classes) or task(classes, int(odd)) != name:
        raise ConfigError(
            f"{name!r}: give each normal class once, in order, and another one as the strange one, "
            "as in fmnist-024-vs-7"
        )
    return replace(
        listed,
        name=name,
        title=f"Fashion-MNIST, {', '.join(classes)} normal, {odd} strange",
        rows=NORMAL + ODD,
        anomalies=ODD,
        note=f"The first images of each class: {NORMAL} normal ones, {ODD} strange ones.",
        options=MappingProxyType({"normal": tuple(map(int, classes)), "odd": int(odd)}),
    )
