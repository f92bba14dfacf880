"""Step 2: T lifts every sub-vector to one width with maps drawn from a seed.

The maps are never trained and are a pure function of (seed, subspaces), so a model stores the
seed; the weights are drawn again where they are needed, which for wide tables (139,351 features:
gigabytes) is the only way, and for narrow ones is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from slad.core.errors import ConfigError
from slad.core.seeds import Streams, uniform
from slad.core.typing import Float
from slad.scale.subspaces import Subspaces

KEEP_BYTES = 2**26
"""Dense maps are kept between uses up to this size, and drawn again beyond it."""


@dataclass
class AffineMaps:
    """W x + b, one layer a subspace, initialised as torch's linear layers (Equation 1)."""

    subspaces: Subspaces
    width: int
    streams: Streams
    is_linear: ClassVar[bool] = True
    has_bias: ClassVar[bool] = True
    _kept: dict[int, Tensor] = field(default_factory=dict, repr=False)

    def layer(self, index: int) -> int:
        """Which layer lifts subspace `index`: its own."""
        return index

    def weights(self, index: int) -> Float[Tensor, "length h"]:
        length = int(self.subspaces.lengths[index])
        draws = uniform(self.streams.key("maps", self.layer(index)), length * self.width)
        return torch.from_numpy(draws.reshape(length, self.width)) / length**0.5

    def bias(self, index: int) -> Float[Tensor, " h"]:
        if not self.has_bias:
            return torch.zeros(self.width)
        draws = uniform(self.streams.key("map biases", self.layer(index)), self.width)
        return torch.from_numpy(draws) / float(self.subspaces.lengths[index]) ** 0.5

    def dense(
        self, index: int, weights: Tensor, device: torch.device | str = "cpu"
    ) -> Float[Tensor, "d h"]:
        """The map as a matrix over all features: zero rows where a feature is not in S."""
        features = torch.from_numpy(self.subspaces[index].astype(np.int64))
        n_features = self.subspaces.n_features
        if len(features.unique()) < len(features):  # drawn with replacement: rows add up
            return torch.zeros(n_features, self.width).index_add_(0, features, weights).to(device)
        matrix = torch.zeros(n_features, self.width, device=device)
        return matrix.index_copy_(0, features.to(device), weights.to(device))

    def each(self, device: torch.device | str = "cpu") -> Iterator[tuple[int, Tensor, Tensor]]:
        """(index, dense matrix, bias) of every subspace, those that share a layer side by side."""
        keep = len(self.subspaces) * self.subspaces.n_features * self.width * 4 <= KEEP_BYTES
        drawn: tuple[int, Tensor] | None = None
        for index in sorted(range(len(self.subspaces)), key=self.layer):
            matrix = self._kept.get(index)
            if matrix is None:
                if drawn is None or drawn[0] != self.layer(index):
                    drawn = self.layer(index), self.weights(index)
                matrix = self.dense(index, drawn[1], "cpu" if keep else device)
                if keep:
                    self._kept[index] = matrix
            yield index, matrix.to(device), self.bias(index).to(device)

    def finish(self, index: int, lifted: Float[Tensor, "n h"]) -> Float[Tensor, "n h"]:
        """What T does after its first layer: nothing, for linear maps."""
        return lifted


class LinearMaps(AffineMaps):
    """The released code's T: no bias, and one layer for all subspaces of a length."""

    has_bias = False

    def layer(self, index: int) -> int:
        return int(self.subspaces.lengths[index])


class ZeroPadding(AffineMaps):
    """The sub-vector followed by zeros up to the width (the ablation's T_zero)."""

    has_bias = False

    def weights(self, index: int) -> Float[Tensor, "length h"]:
        return torch.eye(int(self.subspaces.lengths[index]), self.width)


class RandomMLP(AffineMaps):
    """A second random layer behind a LeakyReLU (the ablation's T_MLP)."""

    is_linear = False

    def finish(self, index: int, lifted: Float[Tensor, "n h"]) -> Float[Tensor, "n h"]:
        draws = uniform(self.streams.key("second maps", index), (self.width + 1) * self.width)
        second = torch.from_numpy(draws.reshape(self.width + 1, self.width)) / self.width**0.5
        second = second.to(lifted.device)
        return torch.addmm(second[-1], leaky_relu(lifted), second[:-1])


TRANSFORMS: dict[str, type[AffineMaps]] = {
    "affine": AffineMaps,
    "linear_per_length": LinearMaps,
    "zero_padding": ZeroPadding,
    "random_mlp": RandomMLP,
}


def make_maps(kind: str, subspaces: Subspaces, width: int, streams: Streams) -> AffineMaps:
    """The maps named `kind`. Zero padding has the table's width, whatever `width` says."""
    if kind == "zero_padding":
        width = subspaces.n_features
        if width > 4096:
            raise ConfigError(
                f"transform='zero_padding' pads to the table's {width} features, and its network "
                "grows with them: use transform='affine' beyond 4096 features"
            )
    return TRANSFORMS[kind](subspaces, width, streams)
