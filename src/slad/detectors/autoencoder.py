"""An autoencoder (Hawkins et al., DaWaK 2002): rows with a bad reconstruction are strange."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from slad.core.typing import Float
from slad.detectors.parts.checks import check_number
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import MLP, Batch, Method, NetworkMethod, Tensors


@dataclass(kw_only=True, eq=False, repr=False)
class Autoencoder(NetworkDetector):
    """Mean squared error of a row's reconstruction through a narrow layer.

    Parameters
    ----------
    hidden_dim : int, default=100
        Units of the encoder's and of the decoder's hidden layer (the SLAD paper's width).
    representation_dim : int or None, default=None
        Units of the narrow layer. None uses half of the features, at most 32: a layer as wide as
        the table would reconstruct every row. (The paper has no rule; this one is ours.)

    All other parameters are those of `NetworkDetector`: epochs, batch_size, learning_rate,
    weight_decay, scaling, n_members, patience, contamination, device, random_state, verbose.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import Autoencoder
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = Autoencoder(epochs=10, random_state=0).fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    hidden_dim: int = 100
    representation_dim: int | None = None

    def _method(self, n_rows: int, n_features: int) -> Method:
        narrow = self.representation_dim or max(1, min(32, n_features // 2))
        sizes = (n_features, self.hidden_dim, narrow, self.hidden_dim, n_features)
        return Reconstruction(n_features, MLP("network", sizes, bias=True))

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "hidden_dim", 1)
        check_number(self, "representation_dim", 1, optional=True)


@dataclass(frozen=True)
class Reconstruction(NetworkMethod):
    """The squared errors of the reconstruction by a network."""

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        return self._errors(weights, batch.rows)

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        share = batch.weight / self.n_features
        return self.approach(weights, gradients, batch.rows, batch.rows, share)

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        return self._errors(weights, rows[None])

    def _errors(self, weights: Tensors, rows: Float[Tensor, "_ b d"]) -> Float[Tensor, "m b"]:
        return (self.network(weights, rows) - rows).square().mean(-1)
