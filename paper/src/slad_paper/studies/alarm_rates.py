"""Rates of false alarms and of discoveries, and where they should be by chance."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import betabinom, binom

from slad.decisions import benjamini_hochberg

LEVELS = (0.01, 0.05, 0.1)
DISCOVERY_RATE = 0.1
INTERVAL = 0.99
ODD_SHARE = 0.1
"""Of anomalies among the rows of which discoveries are made."""


def is_outside(alarm: dict[str, Any]) -> bool:
    """Whether a rate that could be had is outside its plain interval."""
    low, high = alarm["intervals"]["plain"]
    return bool(alarm["possible"]) and not low <= alarm["rate"] <= high


def intervals(level: float, calibrated: int, fresh: int) -> dict[str, list[float]]:
    """Where the rate of false alarms among fresh rows should be, with 99 % probability.

    "plain": as if every fresh row were flagged with exactly this probability. "exact": the
    threshold comes from finitely many rows, so that the probability is itself drawn, from a beta
    distribution.
    """
    tail = (1 - INTERVAL) / 2
    reached = int(level * (calibrated + 1) + 1e-9)
    made = {"plain": binom(fresh, level)}
    if reached:
        made["exact"] = betabinom(fresh, reached, calibrated + 1 - reached)
    return {
        kind: [float(drawn.ppf(tail)) / fresh, float(drawn.ppf(1 - tail)) / fresh]
        for kind, drawn in made.items()
    }


def alarms(pvalues: np.ndarray, odd: np.ndarray, calibrated: int) -> list[dict[str, Any]]:
    """Of every level: the rate realised, where it should be, and the share of anomalies found."""
    return [
        {
            "level": level,
            "possible": level >= 1 / (calibrated + 1),
            "rate": float(np.mean(pvalues <= level)),
            "found": float(np.mean(odd <= level)),
            "intervals": intervals(level, calibrated, len(pvalues)),
        }
        for level in LEVELS
    ]


def discoveries(fresh: np.ndarray, odd: np.ndarray) -> dict[str, Any]:
    """False and true ones among rows a tenth of which are anomalies, if there are as many."""
    odd = odd[: max(1, round(len(fresh) * ODD_SHARE / (1 - ODD_SHARE)))]
    flags = benjamini_hochberg(np.concatenate([fresh, odd]), DISCOVERY_RATE)
    false, true = int(flags[: len(fresh)].sum()), int(flags[len(fresh) :].sum())
    return {"anomalies": len(odd), "false": false, "true": true}
