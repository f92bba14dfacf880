"""For figures of losses: the three recipes that are compared, and losses in a few quantiles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from slad.core.typing import Float
from slad.detectors import SLAD, make

RECIPES: dict[str, Callable[..., Any]] = {
    name: partial(make, name) for name in ("slad-released", "slad-paper", "slad-subspaces")
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
