"""Diffusion time by a network: DTE-C (Livernoche, Jain, Hezaveh and Ravanbakhsh, ICLR 2024)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import MLP, Batch, Method, NetworkMethod, Tensors
from slad.learning.dropout import draw_kept

LOSSES = ("cross_entropy", "released")
FIRST_BETA, LAST_BETA = 1e-4, 1e-2
"""Of the linear schedule of noise (the authors' code)."""


@dataclass(kw_only=True, eq=False, repr=False)
class DTECategorical(NetworkDetector):
    """The amount of noise that a network finds in a row.

    Gaussian noise of a size drawn at random is added to the training rows, and a network learns to
    predict the size, in bins. The score of a row is its expected bin: 0 for rows like those of
    training, at most `n_bins` - 1. `DTENonParametric` estimates
    the same from neighbours.

    Parameters
    ----------
    n_steps : int, default=400
        Steps of the diffusion, T. The noise's variance goes from 0.0001 to 0.87 (authors' code).
    n_bins : int, default=7
        Bins of equally many steps (authors' code).
    hidden_dim : int, default=256
        Units of the first and of the third hidden layer; the second has twice as many (authors'
        code).
    dropout : float, default=0.5
        Chance of a unit of the second and third hidden layer to be left out in training (authors'
        code).
    loss : {"cross_entropy", "released"}, default="cross_entropy"
        Of the bins: cross-entropy as in the paper, or as the authors' code has it, where a second
        softmax takes the probabilities for logits: then the network learns which bin is likeliest,
        rather than how likely each one is.
    epochs : int, default=400
    batch_size : int, default=64
    learning_rate : float, default=1e-4
    weight_decay : float, default=5e-4
        All four as in the authors' code, and not as in the SLAD paper, which has no DTE.
    scaling : {"standard", "minmax", "signed_log", "robust", "none"}, default="standard"
        Input scaling, fitted on the training rows: the authors standardise all tables. The same
        noise in all features needs columns in one unit.

    All other parameters are those of `NetworkDetector`: n_members, patience, contamination, device,
    random_state, verbose.

    Notes
    -----
    Every epoch shows the rows under new noise, so that many epochs add data rather than fit the
    same again, and at this learning rate small tables need them: 200 rows are 1,600 steps. That
    makes it the slowest detector here to fit: about 12 ms a training row on one core.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import DTECategorical
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = DTECategorical(epochs=30, random_state=0).fit(normal)
    >>> far = detector.anomaly_score([[9, -9, 9, -9]])[0]
    >>> bool(far > np.quantile(detector.anomaly_score(normal), 0.99))
    True
    """

    n_steps: int = 400
    n_bins: int = 7
    hidden_dim: int = 256
    dropout: float = 0.5
    loss: str = "cross_entropy"
    epochs: int = 400
    batch_size: int = 64
    learning_rate: float = 1e-4
    weight_decay: float = 5e-4
    scaling: str = "standard"

    def _method(self, n_rows: int, n_features: int) -> Method:
        hidden = self.hidden_dim, 2 * self.hidden_dim, self.hidden_dim
        return TimeEstimate(
            n_features,
            MLP("network", (n_features, *hidden, self.n_bins), bias=True, activation=torch.relu),
            self.n_steps,
            self.dropout,
            self.loss,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "loss", LOSSES)
        check_number(self, "n_bins", 2)
        check_number(self, "n_steps", self.n_bins)
        check_number(self, "hidden_dim", 1)
        check_number(self, "dropout", 0, most=0.99, whole=False)


@dataclass(frozen=True)
class TimeEstimate(NetworkMethod):
    """A classifier of noised rows by the time that the noise took."""

    n_steps: int
    dropout: float
    loss: str

    @property
    def cells_per_row(self) -> int:
        return 2 * sum(self.network.sizes)

    @property
    def n_bins(self) -> int:
        return self.network.sizes[-1]

    def fixed(self, streams: Streams, device: torch.device) -> Tensors:
        return {"deviations": noise_variances(self.n_steps).sqrt().to(device)}

    def draw(self, generator: torch.Generator, batch_size: int) -> Tensors:
        """Every row's noise of size 1, its time, and the units it is seen through."""
        device = generator.device
        shape = batch_size, self.n_features
        return {
            "noise": torch.randn(shape, generator=generator, device=device),
            "time": torch.randint(self.n_steps, (batch_size,), generator=generator, device=device),
            "kept": draw_kept(generator, (batch_size, sum(self._thinned)), self.dropout),
        }

    @property
    def _thinned(self) -> tuple[int, ...]:
        """Units of the layers with dropout."""
        return self.network.sizes[2:4]

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        time = batch.draws["time"].long()
        deviation = constants["deviations"].gather(1, time).unsqueeze(-1)
        noised = batch.rows + deviation * batch.draws["noise"]
        logits = self._logits(weights, noised, batch.draws["kept"].split(self._thinned, -1))
        if self.loss == "released":
            logits = logits.softmax(-1)
        return cross_entropy(logits.mT, time * self.n_bins // self.n_steps, reduction="none")

    def _logits(
        self, weights: Tensors, x: Float[Tensor, "_ b d"], kept: tuple[Tensor, ...] = ()
    ) -> Float[Tensor, "m b bins"]:
        for layer in range(self.network.depth):
            if layer:
                x = self.network.activation(x)
            if kept and layer >= 2:
                x = x * kept[layer - 2]
            x = self.network.linear(weights, layer, x)
        return x

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        # In double precision: rows far out differ in what is left for the other bins.
        likely = self._logits(weights, rows[None]).double().softmax(-1)
        return likely @ torch.arange(self.n_bins, dtype=likely.dtype, device=likely.device)


def noise_variances(n_steps: int) -> Float[Tensor, " steps"]:
    """Of the noise at each step; the rows themselves are not shrunk, as in the authors' code."""
    betas = torch.linspace(FIRST_BETA, LAST_BETA, n_steps, dtype=torch.float64)
    return (1 - (1 - betas).cumprod(0)).float()
