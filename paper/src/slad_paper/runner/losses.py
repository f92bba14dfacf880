"""For figures of losses: the three recipes that are looked at, and groups of rows in few numbers.

Records hold quantiles and no single rows: a box and its whiskers need no more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from slad.core.typing import Float
from slad.detectors import SLAD

RECIPES: dict[str, Callable[..., SLAD]] = {
    "slad-released": SLAD.released,
    "slad-paper": SLAD.paper,
    "slad-subspaces": SLAD,
}
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
DIGITS = 6


def box(losses: Float[np.ndarray, " n"]) -> dict[str, Any]:
    """The mean and the quantiles of some losses."""
    quantiles = [short(value) for value in np.quantile(losses, QUANTILES)]
    return {"mean": short(losses.mean()), "quantiles": quantiles}


def short(value: float) -> float:
    """A number without digits that nobody needs in a record.

    >>> short(2 / 3)
    0.666667
    """
    return float(f"{value:.{DIGITS}g}")


def parameters(detector: SLAD) -> dict[str, Any]:
    """What a detector was made with, but for its seed and device."""
    made = detector.get_params(deep=False)
    return {name: made[name] for name in made if name not in ("random_state", "device")}
