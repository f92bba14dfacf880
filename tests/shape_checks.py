"""How the import hook checks signatures: tensors only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from beartype import beartype


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` under beartype, which looks at hints with shapes and at no other.

    Plain hints are mypy's work: at run time a numpy integer is as good as an int, and protocols
    and text streams cannot be checked.
    """
    hints = getattr(function, "__annotations__", {})
    function.__annotations__ = {name: hint for name, hint in hints.items() if _has_shape(hint)}
    return beartype(function)


def _has_shape(hint: Any) -> bool:
    text = hint if isinstance(hint, str) else repr(hint)
    return "Float[" in text or "Int[" in text
