"""Scales and losses of new rows, from trained networks.

The scores of a row must not depend on the other rows. Matrix products of another shape may sum in
another order, so rows go through in blocks of one size, and the last block is padded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu_

from slad.core.rows import DenseRows, Rows
from slad.core.typing import Float
from slad.detectors.slad.loss import Loss
from slad.detectors.slad.network import SLOPE, ScaleNetwork
from slad.detectors.slad.transform import AffineMaps, Lift
from slad.learning.parameters import split

BLOCK = {"cpu": 512, "cuda": 8192}
"""Rows in a product: on a CPU, the activations of a group then fit into the cache."""
FOLD_BYTES = {"cpu": 2**29, "cuda": 2**33}
"""Up to this size, the product of T and the first layer is computed once and kept."""
NETWORKS = 8
"""Networks applied at a time: the activations of a block still fit into the cache of a CPU."""
SCALES_AT_ONCE = 2**26
"""Predicted scales kept at a time, if each row has those of many networks."""


def operations_per_row(n_features: int, *, n_groups: int, group_size: int, hidden_dim: int) -> int:
    """Multiplications and additions of the networks for one row.

    T and the first layer are one matrix with r c u rows and d + 1 columns (the paper's r and c, u
    units, d features); the second layer has one output for each of the r c subspaces.
    """
    units = n_groups * group_size * hidden_dim
    return 2 * units * (n_features + 1) + 2 * units


class ScaleScorer:
    """One trained member, ready to score rows."""

    def __init__(
        self,
        maps: AffineMaps,
        network: ScaleNetwork,
        loss: Loss,
        labels: Float[Tensor, "r c"],
        weights: Float[Tensor, " size"],
    ) -> None:
        self.maps, self.network, self.loss = maps, network, loss
        self.device = weights.device
        self.group_size = labels.shape[1]
        self.target = loss.target(labels.double()).to(self.device)[:, None, :, None]
        self._take(weights)
        folded_bytes = len(maps.subspaces) * network.hidden_dim * maps.subspaces.n_features * 4
        self._foldable = maps.is_linear and folded_bytes <= FOLD_BYTES[self.device.type]

    def _take(self, weights: Float[Tensor, " size"]) -> None:
        self.flat = weights
        parts = split(weights[None], self.network.shapes)
        self.weights = {name: part[0] for name, part in parts.items()}
        self._folded: Tensor | None = None

    def chunk(self, n_features: int, *, sparse: bool) -> int:
        """Number of rows to score together: large if the maps are drawn again each time."""
        block = BLOCK[self.device.type]
        cells = 2**21 if self._foldable and not sparse else 2**26 // self.network.outputs
        return block * max(1, cells // (block * (self.network.width if sparse else n_features)))

    def losses(self, rows: Rows) -> Float[Tensor, "n r"]:
        """The loss of every group, in double precision."""
        blocks = [
            self.loss.value(outputs.double(), self.target, dim=-2)[:, 0, 0].T
            for outputs in self._blocks(rows)
        ]
        return torch.cat(blocks)[: len(rows)]

    def losses_under(self, rows: Rows, networks: Float[Tensor, "e size"]) -> Float[Tensor, "n e"]:
        """The mean loss of every row with each of these networks in place of the member's own.

        In tables up to the width of T, T is folded into every network; in wider tables rows are
        lifted once for all networks.
        """
        if self._fold_for(rows) and self.maps.subspaces.n_features <= self.maps.width:
            return torch.stack([self._with(each).losses(rows).mean(1) for each in networks], 1)
        answers = len(networks) * len(self.maps.subspaces) * self.network.outputs
        size = max(1, SCALES_AT_ONCE // answers)
        pieces = torch.arange(len(rows), device=self.device).split(size)
        return torch.cat([self._few_under(rows.take(piece), networks) for piece in pieces])

    def _with(self, weights: Float[Tensor, " size"]) -> ScaleScorer:
        other = copy(self)
        other._take(weights)
        return other

    def _few_under(self, rows: Rows, networks: Float[Tensor, "e size"]) -> Float[Tensor, "n e"]:
        blocks = [
            self.loss.value(outputs.double(), self.target, dim=-2).mean(dim=(1, 2, 3)).T
            for outputs in self._outputs_under(rows, networks)
        ]
        return torch.cat(blocks)[: len(rows)]

    def scales(self, rows: Rows) -> Float[Tensor, "n rco"]:
        """All outputs of the network for every subspace: its predicted scale."""
        blocks = [outputs.transpose(1, 2).flatten(0, 2).T for outputs in self._blocks(rows)]
        return torch.cat(blocks)[: len(rows)]

    def _blocks(self, rows: Rows) -> Iterator[Float[Tensor, "r o c block"]]:
        through = self._through_folded if self._fold_for(rows) else self._through_maps
        return through(rows)

    def _fold_for(self, rows: Rows) -> bool:
        return self._foldable and isinstance(rows, DenseRows)

    # -- T and the first layer as one matrix -------------------------------------------------

    def folded(self) -> Float[Tensor, "r cu d1"]:
        """Both are linear: W1 (M x + b) + b1 = (W1 M) x + (W1 b + b1), with x followed by a 1."""
        if self._folded is None:
            hidden, units = self.weights["hidden"], self.network.hidden_dim
            shape = (len(self.maps.subspaces), units, self.maps.subspaces.n_features + 1)
            folded = torch.empty(shape, device=self.device)
            for lift in self.maps.lifts(self.device):
                mine = folded[lift.first : lift.first + lift.size]
                product = hidden @ lift.matrix.T.unflatten(0, (lift.size, -1))
                if lift.features is None:
                    mine[:, :, :-1] = product
                else:  # index_add_, so that a feature drawn twice counts twice
                    mine[0, :, :-1].zero_().index_add_(1, lift.features, product[0])
                mine[:, :, -1] = lift.bias.view(lift.size, -1) @ hidden.T
            if self.network.bias:
                folded[:, :, -1:] += self.weights["bias"]
            self._folded = folded.view(-1, self.group_size * units, shape[2])
        return self._folded

    def _through_folded(self, rows: Rows) -> Iterator[Float[Tensor, "r o c block"]]:
        assert isinstance(rows, DenseRows)
        folded, block = self.folded(), BLOCK[self.device.type]
        units = self.network.hidden_dim
        hidden = torch.empty(folded.shape[1], block, device=self.device)
        columns = torch.ones(folded.shape[2], block, device=self.device)
        shape = (len(folded), self.network.outputs, self.group_size, block)
        for start in range(0, len(rows), block):
            part = rows.values[start : start + block]
            columns[:-1, : len(part)] = part.T
            columns[:-1, len(part) :] = 0
            outputs = torch.empty(shape, device=self.device)
            for group, matrix in enumerate(folded):
                torch.mm(matrix, columns, out=hidden)
                leaky_relu_(hidden, SLOPE)
                by_unit = hidden.view(self.group_size, units, block)
                torch.matmul(self.weights["output"], by_unit, out=outputs[group].transpose(0, 1))
            yield outputs

    # -- through the representations: sparse rows, nonlinear maps, very wide tables -----------

    def _through_maps(self, rows: Rows) -> Iterator[Float[Tensor, "r o c block"]]:
        yield from self._outputs_under(rows, self.flat[None])[:, 0]

    def _outputs_under(
        self, rows: Rows, networks: Float[Tensor, "e size"]
    ) -> Float[Tensor, "blocks e r o c block"]:
        block = BLOCK[self.device.type]
        n_blocks = -(-len(rows) // block)
        by_group = (self.maps.subspaces.n_groups, self.network.outputs, self.group_size)
        outputs = torch.empty(n_blocks, len(networks), *by_group, block, device=self.device)
        hidden = torch.empty(NETWORKS, self.network.hidden_dim, block, device=self.device)
        stacks = [split(few, self.network.shapes) for few in networks.split(NETWORKS)]
        times = _in_blocks(rows, block)
        for lift in self.maps.lifts(self.device):
            lifted = times(lift) + lift.bias
            for number, part in enumerate(lifted.split(block)):
                finished = self.maps.finish(lift.first, part.unflatten(1, (lift.size, -1)))
                for place in range(lift.size):
                    representations = finished[:, place].contiguous().unsqueeze(0)
                    group, at = divmod(lift.first + place, self.group_size)
                    mine = outputs[number, :, group, :, at].split(NETWORKS)
                    for weights, out in zip(stacks, mine, strict=True):
                        shown = representations.expand(len(out), -1, -1)
                        out.copy_(self.network.forward(weights, shown, hidden[: len(out)]))
        return outputs


def _in_blocks(rows: Rows, block: int) -> Callable[[Lift], Tensor]:
    """A function that multiplies the rows with a lift, in whole blocks."""
    missing = -len(rows) % block
    if not isinstance(rows, DenseRows):
        return lambda lift: torch.cat(
            [
                product := rows.times(lift.matrix, lift.features),
                product.new_zeros(missing, product.shape[1]),
            ]
        )
    padded = torch.cat([rows.values, rows.values.new_zeros(missing, rows.values.shape[1])])
    blocks = [DenseRows(part) for part in padded.split(block)]
    return lambda lift: torch.cat([part.times(lift.matrix, lift.features) for part in blocks])
