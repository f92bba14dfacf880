"""Two results on one row of a table, compared seed by seed."""

from __future__ import annotations

import numpy as np

from slad.core.typing import Float
from slad_paper.pages.results import Result

STANDARD_ERRORS = 2

Pair = tuple[Float[np.ndarray, " seeds"], Float[np.ndarray, " seeds"]]


def pairs(first: Result, second: Result, metric: str) -> Pair:
    """Values of the seeds that both have, in one order."""
    by_seed = [
        dict(zip(result.runs, result.values[metric], strict=True)) for result in (first, second)
    ]
    shared = [seeds for seeds in by_seed[0] if seeds in by_seed[1]]
    one, other = (np.array([values[seeds] for seeds in shared]) for values in by_seed)
    return one, other


def differ_clearly(first: Result, second: Result, metric: str) -> bool:
    """Whether the difference is beyond what the seeds explain; never so for a single one."""
    one, other = pairs(first, second, metric)
    far = one - other
    if len(far) < 2:
        return False
    error = far.std(ddof=1) / np.sqrt(len(far))
    return bool(abs(far.mean()) > STANDARD_ERRORS * error)
