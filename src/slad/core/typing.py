"""Types in signatures: tables, and tensor shapes.

Shapes are those of jaxtyping if it is installed (the tests check them), and ignored otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np
from scipy.sparse import csr_array, issparse

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

Table: TypeAlias = np.ndarray | csr_array
"""A checked table: numbers, dense or sparse by rows."""


def is_sparse(X: Table) -> TypeGuard[csr_array]:
    return bool(issparse(X))


__all__ = ["Float", "Int", "Table", "is_sparse"]
