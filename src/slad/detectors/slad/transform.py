"""Step 2: T lifts every sub-vector to one width with random maps.

The maps are never trained and follow from seed and subspaces, so a model stores only the seed, and
weights are drawn again when they are needed. For wide tables (139,351 features: gigabytes) this is
the only way. Maps of narrow tables are kept in memory.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import leaky_relu

from slad.core.errors import ResourceError
from slad.core.philox import uniform_on
from slad.core.products import row_product
from slad.core.seeds import Streams, uniform
from slad.core.typing import Float, Int
from slad.detectors.slad.subspaces import Subspaces

KEEP_BYTES = 2**26
"""Maps are kept in memory up to this size, and drawn again if they are larger."""
WIDEST_PADDING = 4096
"""The largest number of features that sub-vectors can be padded to."""


@dataclass
class Lift:
    """The maps of `size` consecutive subspaces of a group, as one matrix."""

    first: int
    size: int
    features: Int[Tensor, " s"] | None
    """The features of the rows of the matrix; None means all features in their order."""
    matrix: Float[Tensor, "s wide"]
    bias: Float[Tensor, " wide"]


@dataclass
class AffineMaps:
    """W x + b, one layer for each subspace, initialised as linear layers of torch (Equation 1)."""

    subspaces: Subspaces
    width: int
    streams: Streams
    is_linear: ClassVar[bool] = True
    has_bias: ClassVar[bool] = True
    _kept: list[Lift] = field(default_factory=list, repr=False)
    """The maps of a narrow table, on the device of the last call."""

    def layer(self, index: int) -> int:
        """The number of the layer that lifts subspace `index`."""
        return index

    def weights(self, index: int) -> Float[np.ndarray, "length1 h"]:
        """The layer of one subspace: one row for each feature, then the bias."""
        length = int(self.subspaces.lengths[index])
        draws = uniform(self._key, (length + 1) * self.width, stream=self.layer(index))
        weights = draws.reshape(length + 1, self.width)
        weights /= np.float32(length**0.5)
        if not self.has_bias:
            weights[-1] = 0
        return weights

    def weights_on(self, device: torch.device, index: int) -> Float[Tensor, "length1 h"]:
        """As `weights`, drawn on a GPU."""
        length = int(self.subspaces.lengths[index])
        draws = uniform_on(device, self._key, (length + 1) * self.width, self.layer(index))
        weights = draws.view(length + 1, self.width)
        # By a tensor: torch divides by a number through its reciprocal, which rounds differently.
        weights /= torch.full((), length**0.5, device=device)
        if not self.has_bias:
            weights[-1] = 0
        return weights

    @cached_property
    def _key(self) -> int:
        return self.streams.key("maps")

    def lifts(self, device: torch.device | str = "cpu") -> Iterator[Lift]:
        """All maps: whole groups of narrow tables, single subspaces of wide ones.

        Single ones come in the order of their layers, so that a shared layer is drawn once.
        """
        if not self._kept and len(self.subspaces) * self._dense_bytes <= KEEP_BYTES:
            on_gpu = torch.device(device).type == "cuda" and not self.subspaces.has_repeats
            self._kept = list(self._groups_on(torch.device(device)) if on_gpu else self._groups())
        if self._kept and self._kept[0].matrix.device != torch.device(device):
            self._kept = [
                Lift(lift.first, lift.size, None, lift.matrix.to(device), lift.bias.to(device))
                for lift in self._kept
            ]
        yield from self._kept or self._singles(device)

    @property
    def _dense_bytes(self) -> int:
        return self.subspaces.n_features * self.width * 4

    def _groups(self) -> Iterator[Lift]:
        size, width = self.subspaces.group_size, self.width
        for first in range(0, len(self.subspaces), size):
            matrix = np.zeros((self.subspaces.n_features, size, width), dtype=np.float32)
            bias = np.empty((size, width), dtype=np.float32)
            for place in range(size):
                weights, features = self.weights(first + place), self.subspaces[first + place]
                if self.subspaces.has_repeats:  # a feature drawn twice counts twice
                    np.add.at(matrix[:, place], features, weights[:-1])
                else:
                    matrix[features, place] = weights[:-1]
                bias[place] = weights[-1]
            flat = torch.from_numpy(matrix).flatten(1)
            yield Lift(first, size, None, flat, torch.from_numpy(bias).flatten())

    def _groups_on(self, device: torch.device) -> Iterator[Lift]:
        """As `_groups`, on a GPU, for subspaces without repeated features."""
        size, width = self.subspaces.group_size, self.width
        features = torch.from_numpy(self.subspaces.features.astype(np.int64)).to(device)
        ends = np.cumsum(self.subspaces.lengths)
        for first in range(0, len(self.subspaces), size):
            matrix = torch.zeros(self.subspaces.n_features, size, width, device=device)
            bias = torch.empty(size, width, device=device)
            for place in range(size):
                end, length = ends[first + place], self.subspaces.lengths[first + place]
                weights = self.weights_on(device, first + place)
                matrix[:, place].index_copy_(0, features[end - length : end], weights[:-1])
                bias[place] = weights[-1]
            yield Lift(first, size, None, matrix.flatten(1), bias.flatten())

    def _singles(self, device: torch.device | str) -> Iterator[Lift]:
        indices = sorted(range(len(self.subspaces)), key=self.layer)
        sharing = [list(group) for _, group in groupby(indices, self.layer)]
        layers = [group[0] for group in sharing]
        on_gpu = torch.device(device).type == "cuda"
        drawn = self._drawn_there(device, layers) if on_gpu else self._drawn_ahead(layers)
        for group, weights in zip(sharing, drawn, strict=True):
            for index in group:
                features = torch.from_numpy(self.subspaces[index].astype(np.int64)).to(device)
                yield Lift(index, 1, features, weights[:-1], weights[-1])

    def _drawn_there(self, device: torch.device | str, indices: list[int]) -> Iterator[Tensor]:
        """The layers in order, drawn on a GPU."""
        return (self.weights_on(torch.device(device), index) for index in indices)

    def _drawn_ahead(self, indices: list[int]) -> Iterator[Tensor]:
        """The layers in order; other threads draw the next ones meanwhile, which takes seconds."""
        workers = min(4, os.cpu_count() or 1)
        with ThreadPoolExecutor(workers) as pool:
            waiting: deque[Future[np.ndarray]] = deque()
            for index in indices:
                waiting.append(pool.submit(self.weights, index))
                if len(waiting) > workers:
                    yield torch.from_numpy(waiting.popleft().result())
            while waiting:
                yield torch.from_numpy(waiting.popleft().result())

    def finish(self, first: int, lifted: Float[Tensor, "n s h"]) -> Float[Tensor, "n s h"]:
        """The layers of T after its first, from subspace `first` on. Linear maps have none."""
        return lifted


class LinearMaps(AffineMaps):
    """The released code's T: no bias, and one layer for all subspaces of a length."""

    has_bias = False

    def layer(self, index: int) -> int:
        return int(self.subspaces.lengths[index])


class ZeroPadding(AffineMaps):
    """The sub-vector followed by zeros up to the width (the ablation's T_zero)."""

    has_bias = False

    def weights(self, index: int) -> Float[np.ndarray, "length1 h"]:
        length = int(self.subspaces.lengths[index])
        weights = np.eye(length + 1, self.width, dtype=np.float32)
        weights[-1] = 0
        return weights

    def weights_on(self, device: torch.device, index: int) -> Float[Tensor, "length1 h"]:
        return torch.from_numpy(self.weights(index)).to(device)


class RandomMLP(AffineMaps):
    """A second random layer behind a LeakyReLU (the ablation's T_MLP)."""

    is_linear = False

    def finish(self, first: int, lifted: Float[Tensor, "n s h"]) -> Float[Tensor, "n s h"]:
        for place in range(lifted.shape[1]):
            second = self._second(self.layer(first + place), lifted.device)
            bent = leaky_relu(lifted[:, place])
            lifted[:, place] = row_product(bent, second[:-1], plus=second[-1])
        return lifted

    def _second(self, layer: int, device: torch.device) -> Float[Tensor, "h1 h"]:
        """The second layer, drawn once and kept: it is small in all tables."""
        if layer not in self._seconds or self._seconds[layer].device != device:
            size = (self.width + 1) * self.width
            draws = uniform(self.streams.key("second maps"), size, stream=layer)
            second = torch.from_numpy(draws.reshape(-1, self.width)) / self.width**0.5
            if not self.has_bias:
                second[-1] = 0
            self._seconds[layer] = second.to(device)
        return self._seconds[layer]

    @cached_property
    def _seconds(self) -> dict[int, Tensor]:
        return {}


class RandomMLPPerLength(RandomMLP, LinearMaps):
    """The same ablation of the released code's T: no bias, the layers of a length shared."""


TRANSFORMS: dict[str, type[AffineMaps]] = {
    "affine": AffineMaps,
    "linear_per_length": LinearMaps,
    "zero_padding": ZeroPadding,
    "random_mlp": RandomMLP,
    "random_mlp_per_length": RandomMLPPerLength,
}


def make_maps(kind: str, subspaces: Subspaces, width: int, streams: Streams) -> AffineMaps:
    """The maps named `kind`. Zero padding ignores `width` and has the width of the table."""
    if kind == "zero_padding":
        width = subspaces.n_features
        if width > WIDEST_PADDING:
            raise ResourceError(
                f"maps='zero_padding' pads to the {width} features of the table: a single map may "
                f"take {4 * width**2 / 1e9:.1f} GB, and the network grows with them; use "
                f"maps='affine' for more than {WIDEST_PADDING} features"
            )
    return TRANSFORMS[kind](subspaces, width, streams)
