"""What `slad reproduce subspace-search` tries: settings alone, which its page reads, too."""

from __future__ import annotations

from typing import Any

REFERENCES = "references"
"""The case of what the others are compared with."""
BY_WIDTH = "magnification_by_width"
"""A setting of this study: gamma in a table of one column, divided by the number of columns."""
SCALINGS = ("standard", "minmax", "signed_log", "robust")

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "default": [{}],
    "untrained": [{"epochs": 1, "learning_rate": 0.0}],
    "released": [{"recipe": "released"}],
    "paper": [{"recipe": "paper"}],
    **{f"scaling-{each}": [{"scaling": each}] for each in SCALINGS[1:]},
    "scalings-four": [{"scaling": each} for each in SCALINGS],
    "maps-linear": [{"maps": "linear_per_length", "bias": False}],
    "maps-zero-padding": [{"maps": "zero_padding"}],
    "loss-jensen-shannon": [{"loss": "jensen_shannon"}],
    "loss-released": [{"loss": "released"}],
    "loss-squared-error": [{"loss": "squared_error"}],
    "labels-gamma-50": [{"magnification": 50.0}],
    "labels-gamma-1000": [{"magnification": 1000.0}],
    "labels-gamma-by-width": [{BY_WIDTH: 2000.0}],
    "labels-unweighted": [{"weighting_threshold": 0}],
    "groups-of-5": [{"group_size": 5}],
    "groups-of-20": [{"group_size": 20}],
    "groups-60": [{"n_groups": 60}],
    "network-400": [{"hidden_dim": 400}],
    "network-20": [{"hidden_dim": 20}],
    "epochs-3": [{"epochs": 3}],
    "epochs-30": [{"epochs": 30}],
    "epochs-until-no-gain": [{"epochs": 100, "patience": 3}],
    "members-3": [{"n_members": 3}],
    "fresh": [{"recipe": "fresh"}],
    "fresh-deep": [{"recipe": "fresh", "layers": [256, 256], "steps": 4000}],
}
"""Each a list of detectors, whose groups stand side by side; a dict: what differs from SLAD with
10 epochs, which were its default when these were tried."""
