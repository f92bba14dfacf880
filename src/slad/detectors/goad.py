"""GOAD (Bergman and Hoshen, ICLR 2020): classification of random transformations of a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu, leaky_relu_, softplus

from slad.core.philox import normal_on
from slad.core.products import row_product
from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.detectors.parts.checks import check_number
from slad.detectors.parts.goad_slopes import (
    CELLS_AT_ONCE,
    HEAD_SLOPE,
    LEAST_EXPONENT,
    Slopes,
    means,
    nearness,
    own,
    sum_products,
    with_ones,
)
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import MLP, Batch, Method, RowSource, Shapes, Tensors, draw_uniform
from slad.learning.mlp import SLOPE, leaky_backward

DRAWN_AT_ONCE = 2**22
"""Numbers of the maps held at a time: those of a wide table are gigabytes."""
ROWS_AT_ONCE = 256
WORDS = (0, 32, 64, 96)
"""Where the words of a key begin."""


@dataclass(kw_only=True, eq=False, repr=False)
class GOAD(NetworkDetector):
    """Classification-based anomaly detection with random affine transformations.

    One small network reads every transformation of a row. It learns to name the transformation,
    and to keep its representation near the centre of the transformation. The score is minus the log
    probability of all the right names, given the distances from the centres.

    Parameters
    ----------
    n_transformations : int, default=256
    transformation_dim : int, default=32
        Random maps, and dimensions they map to (the authors' settings for small tables).
    offsets : bool, default=True
        Whether the maps are W x + b as in the paper's text, or W x as in its code. See the notes.
    hidden_dim : int, default=8
        Units of every layer (the authors' settings for small tables).
    n_layers : int, default=5
        Layers of the network (the authors' network for tables).
    margin : float, default=1
        Of the triplet loss (the authors' code).
    triplet_weight : float, default=0.1
        Of the triplet loss beside cross-entropy (the authors' code).
    regularization : float, default=0
        Added to every e^-distance before probabilities are computed: the paper's epsilon, which is
        0 in its code.

    All other parameters are those of `NetworkDetector`: epochs, batch_size, learning_rate,
    weight_decay, scaling, n_members, patience, contamination, device, random_state, verbose.

    Notes
    -----
    The network has no bias. With maps that have none either, a row twice as large has
    representations twice as large: they are farther from all wrong centres, and a trained network
    is only more certain of the right one. Anomalies with large values then get low scores. With
    offsets, the size of a row has a reference.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import GOAD
    >>> normal = np.random.default_rng(0).normal(size=(200, 4))
    >>> detector = GOAD(epochs=3, n_transformations=32, random_state=0).fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    n_transformations: int = 256
    transformation_dim: int = 32
    offsets: bool = True
    hidden_dim: int = 8
    n_layers: int = 5
    margin: float = 1.0
    triplet_weight: float = 0.1
    regularization: float = 0.0

    def _method(self, n_rows: int, n_features: int) -> Method:
        return Transformations(
            n_features,
            self.n_transformations,
            bool(self.offsets),
            MLP("trunk", (self.transformation_dim, *[self.hidden_dim] * self.n_layers)),
            float(self.margin),
            float(self.triplet_weight),
            float(self.regularization),
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "n_transformations", 2)
        for name in ("transformation_dim", "hidden_dim", "n_layers"):
            check_number(self, name, 1)
        for name in ("margin", "triplet_weight", "regularization"):
            check_number(self, name, 0, whole=False)


@dataclass(frozen=True)
class Transformations(Method):
    """Random maps of a row, and a network that distinguishes them."""

    n_maps: int
    offsets: bool
    trunk: MLP
    """Shared by all transformations: in the authors' code, convolutions of kernel size 1."""
    margin: float
    triplet_weight: float
    regularization: float

    @property
    def shapes(self) -> Shapes:
        # The classifier's last row is its bias.
        return {**self.trunk.shapes, "head": (self.hidden + 1, self.n_maps)}

    def initial(self, streams: Streams) -> Tensors:
        """Xavier's normal numbers with a gain of the square root of 2 (the authors' code)."""
        sizes = {**self.trunk.shapes, "head": (self.hidden, self.n_maps)}
        weights = {
            name: _draw_normal(streams, "weights " + name, shape) * (2 / sum(shape) ** 0.5)
            for name, shape in sizes.items()
        }
        bias = draw_uniform(streams, "head bias", (1, self.n_maps), self.hidden**-0.5)
        return weights | {"head": torch.cat([weights["head"], bias])}

    @property
    def hidden(self) -> int:
        return self.trunk.sizes[-1]

    @property
    def map_dim(self) -> int:
        return self.trunk.sizes[0]

    @property
    def cells_per_row(self) -> int:
        return self.n_maps * max(self.n_maps, 2 * self.map_dim)

    # -- the transformations -------------------------------------------------------------------

    def fixed(self, streams: Streams, device: torch.device) -> Tensors:
        """The maps' key, of which they are drawn where they are needed, and their offsets."""
        words = [streams.key("maps") >> shift & 0xFFFFFFFF for shift in WORDS]
        offsets = torch.zeros(1, self.width)
        if self.offsets:
            offsets = _draw_normal(streams, "offsets", (1, self.width))
        return {"maps": torch.tensor(words, device=device), "offsets": offsets.to(device)}

    def _maps(self, words: Tensor) -> Iterator[tuple[slice, Float[Tensor, "f width"]]]:
        """Some features after others, and what the maps make of them."""
        key = sum(word << shift for word, shift in zip(words.tolist(), WORDS, strict=True))
        step = max(1, DRAWN_AT_ONCE // self.width)
        for block, start in enumerate(range(0, self.n_features, step)):
            stop = min(start + step, self.n_features)
            drawn = normal_on(words.device, key, (stop - start) * self.width, block)
            yield slice(start, stop), drawn.view(stop - start, self.width)

    @property
    def width(self) -> int:
        return self.n_maps * self.map_dim

    def lift(self, fixed: Tensors, rows: Float[Tensor, "n d"]) -> Float[Tensor, "n width"]:
        """The transformed rows, one transformation after the other."""
        lifted = fixed["offsets"].repeat(len(rows), 1)
        for features, part in self._maps(fixed["maps"]):
            lifted.addmm_(rows[:, features], part)
        return lifted

    def ready(self, weights: Tensors, constants: Tensors) -> Tensors:
        """The maps and the network's first layer as one matrix."""
        first = weights[self.trunk.weight(0)]
        folded = first.new_empty(len(first), self.n_features, self.n_maps * self.hidden)
        for member, layer in enumerate(first):
            for features, part in self._maps(constants["maps"][member]):
                products = torch.matmul(part.view(-1, self.map_dim), layer)
                folded[member, features] = products.view(len(part), -1)
        offsets = torch.matmul(constants["offsets"].view(len(first), -1, self.map_dim), first)
        return {"folded": folded, "folded offsets": offsets.view(len(first), 1, -1)}

    @property
    def ready_cells(self) -> int:
        return self.n_features * self.n_maps * self.hidden

    # -- training ------------------------------------------------------------------------------

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        k, b, _ = batch.rows.shape
        found = self.trunk(weights, self._places(batch.rows))
        logits = torch.matmul(with_ones(leaky_relu(found, HEAD_SLOPE)), weights["head"])
        entropy = torch.logsumexp(logits, -1).view(k, b, -1) - own(logits).view(k, b, -1)
        near = torch.matmul(with_ones(found), nearness(means(found, batch.weight)))
        same = torch.eye(self.n_maps, dtype=torch.bool, device=near.device).repeat(b, 1)
        wrong = near.masked_fill(same, -torch.inf).amax(-1).view(k, b, -1)
        hinge = (self.margin + wrong - own(near).view(k, b, -1)).clamp(min=0)
        return (entropy + self.triplet_weight * hinge).mean(-1)

    def _places(self, lifted: Float[Tensor, "k b width"]) -> Float[Tensor, "k places r"]:
        """Every transformation of every row as a row of its own."""
        return lifted.view(len(lifted), -1, self.map_dim)

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        # On a CPU one member at a time: its sums must not depend on the stack it is in.
        step = 1 if batch.rows.device.type == "cpu" else len(batch.rows)
        losses = []
        for start in range(0, len(batch.rows), step):
            members = slice(start, start + step)
            mine = {name: weight[members] for name, weight in weights.items()}
            written = {name: gradient[members] for name, gradient in gradients.items()}
            inputs = self.trunk.inputs(mine, self._places(batch.rows[members]))
            slopes = Slopes(
                mine["head"], inputs[-1], batch.weight[members], self.margin, self.triplet_weight
            )
            written["head"].copy_(slopes.by_head())
            self._trunk_backward(mine, written, inputs, slopes)
            losses.append(slopes.losses)
        return torch.cat(losses)

    def _trunk_backward(
        self, weights: Tensors, gradients: Tensors, inputs: list[Tensor], slopes: Slopes
    ) -> None:
        """As `MLP.backward`, for so many places."""
        by_output = slopes.by_found()
        for layer in reversed(range(self.trunk.depth)):
            name = self.trunk.weight(layer)
            gradients[name].copy_(sum_products(inputs[layer], by_output, slopes.length))
            if layer:
                by_output = torch.matmul(by_output, weights[name].mT)
                leaky_backward(by_output, inputs[layer])

    # -- scoring -------------------------------------------------------------------------------

    def finish(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        """Each transformation's centre: its mean representation over all training rows."""
        constants = constants | self.ready(weights, constants)
        parts = (self._found(weights, constants, block) for block in rows.blocks(ROWS_AT_ONCE))
        total = sum(found.view(len(found), -1, self.n_maps, self.hidden).sum(1) for found in parts)
        return {"centres": torch.as_tensor(total) / len(rows)}

    def _found(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m places h"]:
        """Representations of all transformations of the rows."""
        found = row_product(rows, constants["folded"]) + constants["folded offsets"]
        found = found.view(len(found), -1, self.hidden)
        for layer in range(1, self.trunk.depth):
            found = self.trunk.linear(weights, layer, leaky_relu_(found, SLOPE))
        return found

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        found, columns = self._found(weights, constants, rows), nearness(constants["centres"])
        places = self.n_maps * max(1, CELLS_AT_ONCE[rows.device.type] // self.n_maps**2)
        scores = [
            torch.cat([self._surprise(part, centres) for part in member.split(places)])
            for member, centres in zip(found, columns, strict=True)
        ]
        return torch.stack(scores)

    def _surprise(
        self, found: Float[Tensor, "places h"], columns: Float[Tensor, "h1 maps"]
    ) -> Float[Tensor, " rows"]:
        """-log p of the right transformations, summed: log(1 + wrong / right) of e^-distances.

        So written, and in double precision, a p near 1 keeps its difference to 1.
        """
        near = row_product(with_ones(found), columns)
        if self.regularization:
            near -= found.square().sum(-1, keepdim=True)
            near = torch.logaddexp(near, near.new_tensor(log(self.regularization)))
        right = own(near).clone()
        own(near).fill_(-torch.inf)
        top = near.amax(-1, keepdim=True)
        near.sub_(top).clamp_(min=LEAST_EXPONENT).exp_()
        wrong = top.view_as(right) + near.sum(-1).view_as(right).log_()
        return softplus((wrong - right).double()).sum(-1)


def _draw_normal(streams: Streams, name: str, shape: tuple[int, ...]) -> Tensor:
    drawn = normal_on(torch.device("cpu"), streams.key(name), shape[0] * shape[1])
    return drawn.view(shape)
