"""The mathematics of ICL: windows of a row must match their complements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu_, pad

from slad.core.products import row_product
from slad.core.seeds import Streams, uniform
from slad.core.typing import Float, Int
from slad.detectors.parts.batch_norm import moments, standardise, standardise_backward_
from slad.detectors.parts.contrast import contrast, contrast_, contrast_backward_, unit_vectors
from slad.detectors.parts.row_windows import (
    complement_gradient,
    complement_layer,
    window_gradient,
    window_layer,
)
from slad.learning import MLP, Batch, Method, RowSource, Shapes, Tensors
from slad.learning.mlp import SLOPE

FEWEST_FEATURES = 3
"""The features needed for two windows of two."""
CHUNK_CELLS = 2**17
"""Outputs of a network to train on at a time on a CPU, so that they fit into its cache."""
FINISH_CELLS = {"cpu": 2**20, "cuda": 2**27}
"""Numbers held at a time in the pass over all rows after training: the size of a CPU's cache, or
enough to keep a GPU busy."""

aten = torch.ops.aten
Norm = Callable[[str, Tensor], Tensor]
"""Batch normalisation of the output of the layer with this name."""


@dataclass(frozen=True)
class InternalContrast(Method):
    """Windows are keys, and their complements in the row are queries."""

    window: MLP
    rest: MLP
    temperature: float
    max_negatives: int
    permuted: bool
    """Whether each member has its own order of the columns."""
    deepod: bool
    """Whether outputs are batch-normalised instead of normalised to length 1."""

    @property
    def shapes(self) -> Shapes:
        return self.window.shapes | self.rest.shapes

    def initial(self, streams: Streams) -> Tensors:
        return self.window.initial(streams) | self.rest.initial(streams)

    @property
    def width(self) -> int:
        return self.window.sizes[0] + self.rest.sizes[0]

    @property
    def n_windows(self) -> int:
        return self.rest.sizes[0] + 1

    @property
    def cells_per_row(self) -> int:
        units = sum(self.window.sizes[1:]) + sum(self.rest.sizes[1:])
        return self.n_windows * (units + min(self.n_windows, self.max_negatives + 1)) + self.width

    def fixed(self, streams: Streams, device: torch.device) -> Tensors:
        """A member's order of the columns, and the windows that its queries are compared with."""
        found = {}
        if self.permuted:
            found["order"] = _drawn_order(streams, "order", self.width)
        if self.n_windows > self.max_negatives:
            some = _drawn_order(streams, "negatives", self.n_windows)[: self.max_negatives]
            found["negatives"] = some.sort().values
        return {name: part.to(device) for name, part in found.items()}

    def lift(self, fixed: Tensors, rows: Float[Tensor, "n d"]) -> Float[Tensor, "n width"]:
        rows = pad(rows, (0, self.width - self.n_features))
        return rows.index_select(1, fixed["order"]) if self.permuted else rows

    # -- losses and scores ---------------------------------------------------------------------

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        def norm(name: str, x: Tensor) -> Tensor:
            return standardise(x, moments(x, batch.weight))[0]

        return self._contrast(weights, constants, self._hidden(weights, batch.rows), norm)

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        def norm(name: str, x: Tensor) -> Tensor:
            return standardise(x, constants[name])[0]

        hidden = self._hidden(weights, self._lift_all(weights, constants, rows))
        if "negatives" in constants:
            return self._contrast(weights, constants, hidden, norm)
        first, second = self._names
        normed = [norm(name, x) for name, x in zip(first, hidden, strict=True)]
        vectors = self._vectors([weights[name] for name in second], normed)
        if self.deepod:
            both = [norm(name, x) for name, x in zip(second, vectors, strict=True)]
            vectors = torch.stack(both)
        return contrast_(vectors, self.temperature, each=not self.deepod)

    def finish(self, weights: Tensors, constants: Tensors, rows: RowSource) -> Tensors:
        """The statistics for scoring: of all rows, layer after layer, with the final weights."""
        learned: Tensors = {}

        def norm(name: str, x: Tensor) -> Tensor:
            return standardise(x, learned[name])[0]

        cells = FINISH_CELLS[weights[self._names[0][0]].device.type]
        size = max(8, cells // (self.cells_per_row * _members(weights)))
        for layer in self._names if self.deepod else self._names[:1]:
            sums: Tensors = {}
            for block in rows.blocks(size):
                found = self._hidden(weights, self._lift_all(weights, constants, block))
                if learned:
                    found = self._outputs(weights, found, norm)
                share = block.new_full((_members(weights), len(block)), 1 / len(rows))
                for name, x in zip(layer, found, strict=True):
                    sums[name] = sums.get(name, 0) + moments(x, share).double()
            learned |= {name: part.float() for name, part in sums.items()}
        return learned

    @cached_property
    def _names(self) -> tuple[list[str], list[str]]:
        """Names of the weights of both layers: of queries and of keys."""
        first, second = (
            [network.weight(n) for network in (self.rest, self.window)] for n in (0, 1)
        )
        return first, second

    def _lift_all(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b width"]:
        """The rows in the column order of each member."""
        if not self.permuted:
            return self.lift({}, rows).expand(_members(weights), -1, -1)
        return torch.stack([self.lift({"order": order}, rows) for order in constants["order"]])

    def _hidden(
        self, weights: Tensors, rows: Float[Tensor, "m b width"]
    ) -> list[Float[Tensor, "m b windows units"]]:
        """The networks' hidden units for every window, before batch normalisation."""
        (rest, window), _ = self._names
        return [
            complement_layer(rows, weights[rest]).tanh_(),
            leaky_relu_(window_layer(rows, weights[window]), SLOPE),
        ]

    def _outputs(
        self, weights: Tensors, hidden: list[Tensor], norm: Norm
    ) -> list[Float[Tensor, "m b windows dims"]]:
        found = []
        for first, second, x in zip(*self._names, hidden, strict=True):
            flat = row_product(norm(first, x).flatten(1, 2), weights[second])
            found.append(leaky_relu_(flat, SLOPE).unflatten(1, x.shape[1:3]))
        return found

    def _contrast(
        self, weights: Tensors, constants: Tensors, hidden: list[Tensor], norm: Norm
    ) -> Float[Tensor, "m b"]:
        found = self._outputs(weights, hidden, norm)
        if self.deepod:
            found = [norm(name, x) for name, x in zip(self._names[1], found, strict=True)]
        queries, keys = (unit_vectors(x, each=not self.deepod) for x in found)
        return contrast(queries, keys, self.temperature, constants.get("negatives"))

    # -- gradients -----------------------------------------------------------------------------

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        if "negatives" in constants:
            return super().differentiate(weights, gradients, constants, batch)
        if batch.rows.device.type != "cpu":
            return self._differentiate(weights, gradients, batch.rows, batch.weight)
        # Member by member, so that the numbers of one stay in the cache.
        losses = [
            self._differentiate(
                {name: part[member : member + 1] for name, part in weights.items()},
                {name: part[member : member + 1] for name, part in gradients.items()},
                batch.rows[member : member + 1],
                batch.weight[member : member + 1],
            )
            for member in range(len(batch.rows))
        ]
        return torch.cat(losses)

    def _differentiate(
        self,
        weights: Tensors,
        gradients: Tensors,
        rows: Float[Tensor, "k b width"],
        share: Float[Tensor, "k b"],
    ) -> Float[Tensor, " k"]:
        (rest, window), second = self._names
        hidden = self._hidden(weights, rows)
        normed, factors = zip(*(standardise(x, moments(x, share)) for x in hidden), strict=True)
        slopes = [torch.empty_like(x) for x in normed]
        losses = torch.empty_like(share)
        for name in second:
            gradients[name].zero_()
        for start in range(0, share.shape[1], size := self._rows_at_once(share)):
            part = slice(start, start + size)
            losses[:, part] = self._second_layers(
                [weights[name] for name in second],
                [gradients[name] for name in second],
                [x[:, part] for x in normed],
                [x[:, part] for x in slopes],
                share[:, part],
            )
        by_rest, by_window = (
            standardise_backward_(by_normed, x, factor, share)
            for by_normed, x, factor in zip(slopes, normed, factors, strict=True)
        )
        aten.tanh_backward.grad_input(by_rest, hidden[0], grad_input=by_rest)
        aten.leaky_relu_backward.grad_input(by_window, hidden[1], SLOPE, True, grad_input=by_window)
        gradients[rest].copy_(complement_gradient(rows, by_rest))
        gradients[window].copy_(window_gradient(rows, by_window))
        return (losses * share).sum(1)

    def _second_layers(
        self,
        weights: list[Tensor],
        gradients: list[Tensor],
        inputs: list[Tensor],
        slopes: list[Tensor],
        share: Float[Tensor, "k b"],
    ) -> Float[Tensor, "k b"]:
        """Losses of some rows; adds to the gradients, and writes the derivatives by the inputs."""
        vectors = self._vectors(weights, inputs)
        losses, found = self._outputs_backward_(vectors, share)
        aten.leaky_relu_backward.grad_input(found, vectors, SLOPE, True, grad_input=found)
        for by_output, weight, gradient, x, by_input in zip(
            found.flatten(2, 3), weights, gradients, inputs, slopes, strict=True
        ):
            gradient.baddbmm_(x.flatten(1, 2).mT, by_output)
            torch.bmm(by_output, weight.mT, out=by_input.flatten(1, 2))
        return losses

    def _outputs_backward_(
        self, vectors: Float[Tensor, "2 k b windows dims"], share: Float[Tensor, "k b"]
    ) -> tuple[Float[Tensor, "k b"], Float[Tensor, "2 k b windows dims"]]:
        """Losses, and their derivatives by the networks' outputs, which keep their signs."""
        if not self.deepod:
            return contrast_backward_(vectors, self.temperature, share, each=True)
        flat, twice = vectors.flatten(0, 1), share.repeat(2, 1)
        normed, factor = standardise(flat, moments(flat, twice))
        again = normed.clone().view_as(vectors)
        losses, found = contrast_backward_(again, self.temperature, share, each=False)
        standardise_backward_(found.flatten(0, 1), normed, factor, twice)
        return losses, found

    def _vectors(
        self, weights: list[Tensor], inputs: list[Tensor]
    ) -> Float[Tensor, "2 m b windows dims"]:
        """The networks' outputs in one tensor; not for autograd."""
        members, rows, windows, _ = inputs[0].shape
        found = inputs[0].new_empty(2, members, rows * windows, self.rest.sizes[2])
        for x, weight, part in zip(inputs, weights, found, strict=True):
            row_product(x.flatten(1, 2), weight, out=part)
        vectors: Tensor = leaky_relu_(found, SLOPE).unflatten(2, (rows, windows))
        return vectors

    def _rows_at_once(self, share: Float[Tensor, "k b"]) -> int:
        rows = share.shape[1]
        if share.device.type != "cpu" or self.deepod:  # its last statistics need all
            return rows
        pieces = -(-rows * self.n_windows * self.rest.sizes[2] // CHUNK_CELLS)
        return -(-rows // min(pieces, rows))


def _members(weights: Tensors) -> int:
    return len(next(iter(weights.values())))


def _drawn_order(streams: Streams, name: str, size: int) -> Int[Tensor, " size"]:
    """A permutation that the seed and the name determine, the same on every platform."""
    draws = uniform(streams.key(name), size)
    return torch.from_numpy(draws.argsort(kind="stable"))
