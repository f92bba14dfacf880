"""Made-up rows of any number, drawn in pieces."""

from __future__ import annotations

import numpy as np

from slad_paper.runner.timing import rows_like

PIECE = 2**16


def many_rows(n: int, d: int, seed: int = 0) -> np.ndarray:
    """Rows in single precision; another seed, other rows."""
    parts = [
        rows_like(min(PIECE, n - at), d, seed * 10_000 + at // PIECE)[0]
        for at in range(0, n, PIECE)
    ]
    return np.concatenate(parts, dtype=np.float32)
