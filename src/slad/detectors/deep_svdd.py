"""Deep SVDD (Ruff et al., ICML 2018): a network that maps normal rows into a small sphere."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from slad.core.typing import Float
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import MLP, Batch, Method, NetworkMethod, RowSource, Tensors

OBJECTIVES = ("one_class", "soft_boundary")
LEAST_CENTRE = 0.1
"""A centre's coordinates are kept this far from 0, which a network without bias maps to trivially
(the authors' code)."""
ROWS_AT_ONCE = 4096


@dataclass(kw_only=True, eq=False, repr=False)
class DeepSVDD(NetworkDetector):
    """Deep support vector data description: rows far from the centre of the normal ones.

    Parameters
    ----------
    objective : {"one_class", "soft_boundary"}, default="one_class"
        The mean distance to the centre (equation 4 of the paper), or the volume of a sphere that
        leaves about the share `nu` of the rows outside (equation 3).
    nu : float, default=0.1
        Of the soft boundary: the paper tries 0.01 and 0.1; 0.1 is the default of its code.
    warm_up : int, default=10
        Epochs before the soft boundary's radius leaves 0 (the authors' code).
    hidden_dim : int, default=100
        Units of the hidden layer (the SLAD paper's implementation section).
    representation_dim : int, default=128
        Dimensions of the sphere (the same).

    All other parameters are those of `NetworkDetector`: epochs, batch_size, learning_rate,
    weight_decay, scaling, n_members, patience, contamination, device, random_state, verbose.

    Notes
    -----
    There is no bias anywhere, with which a network could map every row to the centre (the paper's
    proposition 2), and no pretraining as an autoencoder.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import DeepSVDD
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = DeepSVDD(epochs=10, random_state=0).fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    objective: str = "one_class"
    nu: float = 0.1
    warm_up: int = 10
    hidden_dim: int = 100
    representation_dim: int = 128

    def _method(self, n_rows: int, n_features: int) -> Method:
        return Sphere(
            n_features,
            MLP("network", (n_features, self.hidden_dim, self.representation_dim)),
            self.nu if self.objective == "soft_boundary" else None,
            self.warm_up,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "objective", OBJECTIVES)
        check_number(self, "nu", 0.001, most=1, whole=False)
        check_number(self, "warm_up", 0)
        check_number(self, "hidden_dim", 1)
        check_number(self, "representation_dim", 1)


@dataclass(frozen=True)
class Sphere(NetworkMethod):
    """Squared distances from a centre that is fixed before training."""

    nu: float | None
    warm_up: int

    def prepare(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        """The centre: the mean of the initial network's outputs for the rows (section 3.1)."""
        total = sum(
            self.network(weights, block[None]).sum(1) for block in rows.blocks(ROWS_AT_ONCE)
        )
        centre = torch.as_tensor(total) / len(rows)
        away = torch.where(centre < 0, -LEAST_CENTRE, LEAST_CENTRE)
        return {"centre": torch.where(centre.abs() < LEAST_CENTRE, away, centre).unsqueeze(1)}

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        distances = self._distances(weights, constants, batch.rows)
        if self.nu is None:
            return distances
        # The authors' code sets the radius to the quantile of each batch after its step.
        radius = _quantile(distances.detach(), batch.real, 1 - self.nu)
        radius = torch.where(batch.epoch < self.warm_up, 0.0, radius).unsqueeze(1)
        return radius + (distances - radius).clamp(min=0) / self.nu  # Equation 3

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        if self.nu is not None:
            return super().differentiate(weights, gradients, constants, batch)
        return self.approach(weights, gradients, batch.rows, constants["centre"], batch.weight)

    def finish(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        if self.nu is None:
            return {}
        distances = [
            self._distances(weights, constants, block[None]) for block in rows.blocks(ROWS_AT_ONCE)
        ]
        everywhere = torch.cat(distances, 1)
        real = torch.ones_like(everywhere, dtype=torch.bool)
        return {"radius": _quantile(everywhere, real, 1 - self.nu).unsqueeze(1)}

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        distances = self._distances(weights, constants, rows[None])
        return distances - constants["radius"] if "radius" in constants else distances

    def _distances(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "_ b d"]
    ) -> Float[Tensor, "m b"]:
        return (self.network(weights, rows) - constants["centre"]).square().sum(-1)


def _quantile(values: Float[Tensor, "k b"], real: Tensor, share: float) -> Float[Tensor, " k"]:
    """The smallest value that at least this share of a member's real values does not exceed."""
    ordered = values.masked_fill(~real, torch.inf).sort(1).values
    place = (real.sum(1) * share).ceil().long().sub(1).clamp(min=0)
    return ordered.gather(1, place.unsqueeze(1)).squeeze(1)
