"""How the import hook checks signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beartype import beartype
from beartype.roar import BeartypeDecorHintPep3119Exception


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` under beartype, where its hints can be checked at run time: a protocol's cannot."""
    try:
        return beartype(function)
    except BeartypeDecorHintPep3119Exception:
        return function
