"""Products in which every row is by itself, and work on blocks of rows by all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import cache
from typing import TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from slad.core.typing import Float

Found = TypeVar("Found")
LEAST = 128
"""A core's share of rows is a multiple of this: smaller ones are not worth a thread."""


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
    """`work` on slices of at most about `size` rows of `count`, in order; every core gets some.

    Products of blocks of rows are small: threads of the linear algebra's own would mostly wait for
    each other, and for whatever else the machine does.
    """
    share = -(-count // (cores() * LEAST)) * LEAST
    size = min(size, max(share, LEAST))
    parts = [slice(start, min(start + size, count)) for start in range(0, count, size)]
    with one_thread_each():
        if len(parts) < 2 or cores() < 2:
            yield from map(work, parts)
            return
        with ThreadPoolExecutor(min(cores(), len(parts))) as threads:
            yield from threads.map(work, parts)


def one_thread_each() -> AbstractContextManager[object]:
    """Linear algebra with one thread for each call; with more, its last digits change with them."""
    limited: AbstractContextManager[object] = _libraries().limit(limits=1, user_api="blas")
    return limited


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
