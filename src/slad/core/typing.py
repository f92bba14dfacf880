"""Tensor shapes in signatures: jaxtyping where it is installed (the tests), inert elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxtyping import Float, Int
else:
    try:
        from jaxtyping import Float, Int
    except ImportError:

        class _Unchecked:
            def __class_getitem__(cls, item: Any) -> Any:
                return Any

        Float = Int = _Unchecked

__all__ = ["Float", "Int"]
