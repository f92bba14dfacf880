"""GAAL (Liu et al., TKDE 2019): a discriminator against generators of potential outliers."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, erf, sqrt
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn.functional import relu, softplus

from slad.core.products import row_product
from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.detectors.parts.checks import check_number
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import (
    MLP,
    Batch,
    Method,
    Shapes,
    StackOptimizer,
    StackSGD,
    Tensors,
    draw_uniform,
)

CUT = 2.0
"""Initial weights are normal, cut off at so many standard deviations (the authors' code)."""
CUT_DEVIATION = 0.8796256610342398
"""The standard deviation of standard normal numbers cut off there."""


@dataclass(kw_only=True, eq=False, repr=False)
class GAAL(NetworkDetector):
    """Rows that a discriminator classifies as generated: MO-GAAL, or SO-GAAL with one generator.

    Parameters
    ----------
    n_generators : int, default=10
        The paper's k. Generator i of k aims at the i/k quantile of the discriminator's outputs
        (MO-GAAL); a single one at 1, the output for real rows (SO-GAAL).
    stop_epochs : int or None, default=None
        Epochs after which the generators rest and the discriminator alone goes on. None takes a
        third of `epochs` (the authors' code).
    generator_learning_rate : float, default=1e-4
        The authors' code.
    epochs : int, default=60
        Three times 20, which the authors' code stops SO-GAAL's generator after (for their figures
        they chose 6 to 300 by dataset).
    batch_size : int, default=500
    learning_rate : float, default=0.01
        Of the discriminator. Both as in the authors' code; so is the momentum, 0.9.
    weight_decay : float, default=0.0
        The authors' code has none.

    All other parameters are those of `NetworkDetector`: scaling, n_members, patience,
    contamination, device, random_state, verbose.

    Notes
    -----
    The score is minus the discriminator's logit: it orders rows as one minus its probability does,
    and stays apart where that is rounded to 1. The generators start from noise in the unit cube,
    which is where min-max scaling puts the rows; another scaling puts them elsewhere. A generator
    has two square layers, so memory grows with the square of the features.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import GAAL
    >>> normal = np.random.default_rng(0).normal(size=(1000, 2))
    >>> detector = GAAL(random_state=0).fit(normal)
    >>> corners = [[6, 6], [6, -6], [-6, 6], [-6, -6]]
    >>> bool(detector.anomaly_score(corners).mean() > detector.anomaly_score(normal).mean())
    True
    """

    n_generators: int = 10
    stop_epochs: int | None = None
    generator_learning_rate: float = 1e-4
    epochs: int = 60
    batch_size: int = 500
    learning_rate: float = 0.01
    weight_decay: float = 0.0

    optimizer: ClassVar[type[StackOptimizer]] = StackSGD
    loss_falls: ClassVar[bool] = False

    def _method(self, n_rows: int, n_features: int) -> Method:
        hidden = ceil(sqrt(n_rows))
        n_noise = min(self.batch_size, hidden**2)  # of a small table, about as many as rows
        rate = self.learning_rate
        return Game(
            n_features,
            MLP("discriminator", (n_features, hidden, 1), bias=True, activation=relu),
            MLP(
                "generators",
                (n_features, n_features, n_features),
                bias=True,
                copies=(self.n_generators,),
                activation=relu,
            ),
            max(1, n_noise // self.n_generators),
            # Exact for gradient descent with momentum, whose steps are linear in the gradients.
            self.generator_learning_rate / rate if rate else 0.0,
            self.stop_epochs,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "n_generators", 1)
        check_number(self, "stop_epochs", 0, optional=True)
        check_number(self, "generator_learning_rate", 0, whole=False)


@dataclass(frozen=True)
class Game(Method):
    """Both sides of the game, whose gradients are taken at the same weights."""

    discriminator: MLP
    generators: MLP
    each: int
    """Rows that a generator makes in a step."""
    pace: float
    """Learning rate of the generators by that of the discriminator."""
    stop_epochs: int | None

    @property
    def shapes(self) -> Shapes:
        return self.discriminator.shapes | self.generators.shapes

    @property
    def scoring_shapes(self) -> Shapes:
        return self.discriminator.shapes

    @property
    def cells_per_row(self) -> int:
        return 8 * self.n_features + 4 * self.discriminator.sizes[1]

    def initial(self, streams: Streams) -> Tensors:
        """Generators that give the noise as it is; zero biases (the authors' code)."""
        initial = {name: torch.zeros(shape) for name, shape in self.shapes.items()}
        for layer, inputs in enumerate(self.discriminator.sizes[:-1]):
            name = self.discriminator.weight(layer)
            initial[name] = _cut_normal(streams, name, self.shapes[name], inputs**-0.5)
        for layer in range(self.generators.depth):
            initial[self.generators.weight(layer)].diagonal(dim1=-2, dim2=-1).fill_(1)
        return initial

    def fixed(self, streams: Streams, device: torch.device) -> Tensors:
        """What the generated rows weigh in the discriminator's loss, half of it altogether.

        Those of the k generators weigh as k : k - 1 : ... : 1, in which the authors' code shares
        out the noise.
        """
        generators = self.generators.copies[0]
        shares = torch.arange(generators, 0, -1, device=device) / (generators * (generators + 1))
        return {"weight": (shares / self.each).repeat_interleave(self.each)}

    # -- training ------------------------------------------------------------------------------

    def draw(self, generator: torch.Generator, batch_size: int) -> Tensors:
        """Noise, some rows of it for each place of a batch where there are many generators."""
        rows = ceil(self.generators.copies[0] * self.each / batch_size)
        shape = (batch_size, rows * self.n_features)
        return {"noise": torch.rand(shape, generator=generator, device=generator.device)}

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        """The discriminator's cross-entropy. The generators' adds nothing but its gradient."""
        fake = relu(self.generators(weights, self._noise(batch)))
        fixed = {name: weight.detach() for name, weight in weights.items()}
        real = self._logits(weights, batch.rows)
        spotted = self._logits(weights, fake.detach())
        fooled = self._logits(fixed, fake)
        targets = self._targets(real.detach().sigmoid(), batch).unsqueeze(-1)
        pull = (softplus(fooled) - targets * fooled).mean(-1).sum(-1) * self._paces(batch)
        spot = (softplus(spotted).flatten(1) * constants["weight"]).sum(-1)
        return softplus(-real) / 2 + (spot + pull - pull.detach()).unsqueeze(-1)

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        """The same with one pass of the generated rows through the discriminator."""
        critic, makers = self.discriminator, self.generators
        noise = self._noise(batch)
        inner = _layer(makers, weights, 0, noise).relu_()
        fake = _layer(makers, weights, 1, inner).relu_()
        n_real = batch.rows.shape[1]
        rows = torch.cat([batch.rows, fake.flatten(1, 2)], 1)
        hidden = _layer(critic, weights, 0, rows).relu_()
        # Negative weights for real rows: the sign makes a logit one for the wrong answer.
        weight = torch.cat([batch.weight * -0.5, constants["weight"]], 1).unsqueeze(1)
        last = weights[critic.weight(1)].mT
        # A member must not be rounded by its place in the stack, so rows lie (BLAS sums a column
        # in another order), and functions that round a vector's last cells apart are in double.
        logits = torch.matmul(last, hidden.mT).add_(weights[critic.offset(1)])
        errors = logits.mul_(weight.sign()).double()
        wrong = errors.sigmoid().float()
        losses: Tensor = torch.linalg.vecdot(softplus(errors).float(), weight.abs()).squeeze(1)
        slopes = wrong * weight
        on = hidden.sign()  # a logit's derivatives by the units' inputs: `last`, where one is on
        torch.matmul(slopes, hidden, out=gradients[critic.weight(1)].mT)
        torch.sum(slopes, 2, keepdim=True, out=gradients[critic.offset(1)])
        torch.matmul((rows * slopes.mT).mT, on, out=gradients[critic.weight(0)]).mul_(last)
        torch.matmul(slopes, on, out=gradients[critic.offset(0)]).mul_(last)

        paces = self._paces(batch)
        if paces.device.type == "cpu" and not paces.any():  # no such question in a CUDA graph
            for name in makers.shapes:
                gradients[name].zero_()
            return losses
        wrong = wrong.squeeze(1)
        targets = self._targets(1 - wrong[:, :n_real], batch)[..., None, None]
        missed = wrong[:, n_real:].unflatten(1, fake.shape[1:3]).unsqueeze(-1) - targets
        missed *= (paces / self.each).view(-1, 1, 1, 1)
        slopes = (on[:, n_real:] @ (weights[critic.weight(0)] * last).mT).view_as(fake)
        self._differentiate_generators(weights, gradients, [noise, inner, fake], slopes * missed)
        return losses

    def _differentiate_generators(
        self, weights: Tensors, gradients: Tensors, passed: list[Tensor], slopes: Tensor
    ) -> None:
        """Given what passed through the generators, and the derivatives by what they made."""
        makers = self.generators
        for layer in reversed(range(makers.depth)):
            slopes = _through(slopes, passed[layer + 1])
            torch.matmul(passed[layer].mT, slopes, out=gradients[makers.weight(layer)])
            torch.sum(slopes, -2, keepdim=True, out=gradients[makers.offset(layer)])
            if layer:
                slopes = slopes @ weights[makers.weight(layer)].mT

    def _noise(self, batch: Batch) -> Float[Tensor, "k generators each d"]:
        """What each generator starts from; what is left of the batch's noise is not used."""
        generators, noise = self.generators.copies[0], batch.draws["noise"]
        noise = noise.view(len(noise), -1, self.n_features)[:, : generators * self.each]
        return noise.reshape(len(noise), generators, self.each, self.n_features)

    def _targets(self, outputs: Float[Tensor, "k b"], batch: Batch) -> Float[Tensor, "k goals"]:
        """What the discriminator is to say of each generator's rows."""
        generators = self.generators.copies[0]
        if generators == 1:
            return torch.ones_like(outputs[:, :1])
        goals = torch.arange(generators, device=outputs.device) / generators
        return _quantiles(outputs, batch.real, goals)

    def _paces(self, batch: Batch) -> Float[Tensor, " k"]:
        """The pace of each member's generators; 0 when they rest."""
        stop = batch.epochs / 3 if self.stop_epochs is None else self.stop_epochs
        return (batch.steps < stop * batch.steps_per_epoch) * self.pace

    # -- scoring -------------------------------------------------------------------------------

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        return -self._logits(weights, rows[None])

    def _logits(self, weights: Tensors, rows: Float[Tensor, "_ *any d"]) -> Tensor:
        """The logit of a row to be real: m x the axes of the rows."""
        flat = rows.reshape(len(rows), -1, rows.shape[-1])
        logits = self.discriminator(weights, flat)
        return logits.reshape(len(logits), *rows.shape[1:-1])


def _cut_normal(streams: Streams, name: str, shape: tuple[int, ...], deviation: float) -> Tensor:
    """Normal numbers of this standard deviation, those far out drawn nearer."""
    inside = draw_uniform(streams, name, shape, erf(CUT / sqrt(2)))
    return torch.erfinv(inside) * (sqrt(2) * deviation / CUT_DEVIATION)


def _quantiles(
    values: Float[Tensor, "k b"], real: Tensor, shares: Float[Tensor, " q"]
) -> Float[Tensor, "k q"]:
    """Of each member's real values, with lines between them as numpy draws them."""
    ordered = values.masked_fill(~real, torch.inf).sort(1).values
    places = (real.sum(1, keepdim=True) - 1) * shares
    below = ordered.gather(1, places.floor().long())
    above = ordered.gather(1, places.ceil().long())
    return torch.lerp(below, above, places.frac())


def _through(slopes: Tensor, results: Tensor) -> Tensor:
    """Slopes before a ReLU with these results."""
    before: Tensor = torch.ops.aten.threshold_backward(slopes, results, 0)
    return before


def _layer(network: MLP, weights: Tensors, layer: int, x: Tensor) -> Tensor:
    """One layer's product and bias, where autograd does not look."""
    return row_product(x, weights[network.weight(layer)]).add_(weights[network.offset(layer)])
