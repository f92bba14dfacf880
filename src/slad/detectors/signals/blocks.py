"""Products in which every row is by itself, and work on blocks of rows by all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from threadpoolctl import threadpool_limits

from slad.core.typing import Float

Found = TypeVar("Found")


def row_product(
    rows: Float[np.ndarray, "n k"], matrix: Float[np.ndarray, "k h"]
) -> Float[np.ndarray, "n h"]:
    """`rows @ matrix` in single precision, summed in double precision.

    A product may differ in the last bits with a row's place among the others; a row's score must
    not depend on the rows it comes with.
    """
    product: np.ndarray = rows.astype(np.float64) @ matrix.astype(np.float64)
    return product.astype(np.float32)


def cores() -> int:
    """Cores that this process may use; OMP_NUM_THREADS can say that they are fewer."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(allowed or 1, int(asked) if asked.isdecimal() else allowed or 1))


def by_all_cores(work: Callable[[slice], Found], count: int, size: int) -> Iterator[Found]:
    """`work` on slices of `size` rows of `count`, in order."""
    parts = [slice(start, min(start + size, count)) for start in range(0, count, size)]
    if len(parts) < 2 or cores() < 2:
        yield from map(work, parts)
        return
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(min(cores(), len(parts))) as threads:
        yield from threads.map(work, parts)
