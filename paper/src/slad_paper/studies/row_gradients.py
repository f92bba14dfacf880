"""Gradients of single rows in slad's own network: what inliers and anomalies add up to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from slad.core.rows import Rows
from slad.core.typing import Float, Int
from slad.detectors import SLAD, fit_many
from slad.detectors.slad.network import SLOPE
from slad.detectors.slad.scoring import ScaleScorer
from slad.learning import Snapshots
from slad.learning.parameters import split

AT_ONCE = 256
"""Rows whose gradients are held at a time: 13 MB for 100 units and representations of 128."""
PARTS = ("output", "all")
"""The last layer's weights, of which the analysis speaks, and all weights."""


def row_gradients(
    scorer: ScaleScorer, weights: Float[Tensor, " size"], rows: Rows
) -> dict[str, Float[Tensor, "n part"]]:
    """The gradient of every row's mean loss over its groups, by each part of the weights."""
    network, subspaces = scorer.network, len(scorer.maps.subspaces)
    layers = {name: part[0] for name, part in split(weights[None], network.shapes).items()}
    lifted = torch.empty(len(rows), subspaces, network.width, device=scorer.device)
    for lift in scorer.maps.lifts(scorer.device):
        flat = rows.times(lift.matrix, lift.features) + lift.bias
        shaped = flat.unflatten(1, (lift.size, -1))
        lifted[:, lift.first : lift.first + lift.size] = scorer.maps.finish(lift.first, shaped)
    inner = lifted @ layers["hidden"].T
    if network.bias:
        inner += layers["bias"].T
    units = leaky_relu(inner, SLOPE)
    scales = (units @ layers["output"][0]).unflatten(1, (-1, scorer.group_size)).double()
    target = scorer.target.reshape(-1, scorer.group_size).expand_as(scales)
    _, by_scale = scorer.loss.value_and_gradient(scales, target)
    by_scale = by_scale.flatten(1).float() * (scorer.group_size / subspaces)
    by_inner = by_scale.unsqueeze(-1) * layers["output"][0] * torch.where(inner > 0, 1.0, SLOPE)
    found = {
        "hidden": torch.bmm(by_inner.transpose(1, 2), lifted).flatten(1),
        "output": torch.einsum("ns,nsu->nu", by_scale, units),
    }
    return found | ({"bias": by_inner.sum(1)} if network.bias else {})


def class_gradients(
    scorer: ScaleScorer,
    weights: Float[Tensor, " size"],
    rows: Rows,
    labels: Int[np.ndarray, " n"],
) -> dict[str, dict[str, Any]]:
    """For the last layer and for all weights: gradients of inliers against those of anomalies.

    `sum` is the squared length of a class's summed gradient, `single` the mean squared length of
    its rows' own, `spread` and `mean` the V and M of `inlier_priority`.
    """
    sums: dict[tuple[str, int], Tensor] = {}
    squares = dict.fromkeys(((part, kind) for part in PARTS for kind in (0, 1)), 0.0)
    for kind in (0, 1):
        for found in _chunks(scorer, weights, rows, np.flatnonzero(labels == kind)):
            for part in PARTS:
                mine = found["output"] if part == "output" else torch.cat(list(found.values()), 1)
                total = mine.sum(0, dtype=torch.float64)
                sums[part, kind] = total + sums.get((part, kind), 0.0)
                squares[part, kind] += float(mine.square().sum(dtype=torch.float64))
    result = {}
    for part in PARTS:
        of_kind = {
            name: _about(sums[part, kind], squares[part, kind], int((labels == kind).sum()))
            for kind, name in enumerate(("inliers", "anomalies"))
        }
        cosine = torch.nn.functional.cosine_similarity(sums[part, 0], sums[part, 1], dim=0)
        result[part] = of_kind | {"cosine": float(cosine)}
    return result


def _chunks(
    scorer: ScaleScorer, weights: Tensor, rows: Rows, chosen: Int[np.ndarray, " k"]
) -> Iterator[dict[str, Tensor]]:
    for piece in torch.from_numpy(chosen).to(scorer.device).split(AT_ONCE):
        yield row_gradients(scorer, weights, rows.take(piece))


def _about(total: Float[Tensor, " size"], squares: float, count: int) -> dict[str, float]:
    length = float(total.square().sum())
    spread = (squares - length / count) / (count - 1)
    mean = length / count**2 - spread / count
    return {"sum": length, "single": squares / count, "spread": spread, "mean": mean}


def watched(
    detectors: list[SLAD], rows: np.ndarray, epochs: list[int]
) -> list[dict[int, Float[Tensor, " size"]]]:
    """Fit detectors of one member each; for each its weights after these epochs (0: before)."""
    kept = Snapshots()
    fit_many(detectors, [rows] * len(detectors), callbacks=[kept])
    results = []
    for detector, after in zip(detectors, kept.weights, strict=True):
        every = [detector.initial_weights()[0], *after]
        results.append({epoch: every[epoch] for epoch in epochs})
    return results
