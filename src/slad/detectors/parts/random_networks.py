"""Random networks that are never trained: an ensemble from one set of matrices.

CERE of Deep Isolation Forest (Xu, Pang, Wang and Wang, TKDE 2023): a layer of member i is the
shared matrix W, its rows multiplied by the member's vector p and its columns by its vector q, and
all numbers are standard normal. Everything is drawn again from the seed when it is needed, so that
a model of a wide table stays small.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import pad

from slad.core.philox import normal_on
from slad.core.products import row_product
from slad.core.rows import DenseRows, SparseRows
from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.detectors.parts.scaling import ScaledRows

BLOCK = 128
"""Rows in a product. Blocks are padded to this size, because products of another size may sum in
another order."""
SPARSE_BLOCK = 2048
"""Sparse rows that are multiplied with the first matrix at a time."""
DRAWN = 2**20
"""Numbers drawn at a time."""


class RandomNetworks:
    """`count` networks without bias, tanh between the layers.

    Parameters
    ----------
    sizes
        Features in, units of the hidden layers, features out.
    """

    def __init__(self, seed: int, count: int, sizes: tuple[int, ...]) -> None:
        self.count, self._width = count, sizes[-1]
        self._layers = [
            (
                standard_normal(seed, f"layer {number}", into, out),
                standard_normal(seed, f"layer {number} rows", count, into),
                standard_normal(seed, f"layer {number} columns", count, out),
            )
            for number, (into, out) in enumerate(pairwise(sizes))
        ]

    def outputs(self, rows: ScaledRows) -> Iterator[Float[np.ndarray, "n out"]]:
        """The outputs of one network after the other, all in the same array."""
        outputs = torch.empty(len(rows), self._width)
        for member in range(self.count):
            (shared, p, q), *layers = ((W, p[member], q[member]) for W, p, q in self._layers)
            others = [W * p[:, None] * q for W, p, q in layers]
            for place, block in zip(outputs.split(BLOCK), _products(rows, p, shared), strict=True):
                block *= q
                for matrix in others:
                    block = row_product(block.tanh_(), matrix)
                place[:] = block[: len(place)]
            yield outputs.numpy()


def _products(
    rows: ScaledRows, weights: Float[Tensor, " d"], matrix: Float[Tensor, "d h"]
) -> Iterator[Float[Tensor, "block h"]]:
    """Weighted rows times a matrix, in blocks of one size, the last one padded.

    Weighting the rows of a wide matrix instead would be far more work.
    """
    if isinstance(rows, DenseRows):
        for block in rows.values.split(BLOCK):
            yield row_product(_filled(block * weights), matrix)
        return
    baseline = rows.baseline * weights
    for some in torch.arange(len(rows)).split(SPARSE_BLOCK):
        offsets = rows.take(some).offsets
        offsets.data *= weights.numpy()[offsets.indices]
        for block in SparseRows(offsets, baseline).times(matrix).split(BLOCK):
            yield _filled(block)


def _filled(block: Float[Tensor, "n d"]) -> Float[Tensor, "block d"]:
    return pad(block, (0, 0, 0, BLOCK - len(block)))


def standard_normal(seed: int, name: str, *shape: int) -> Tensor:
    """Numbers in single precision that the seed and the name determine."""
    key, values = Streams(seed).key(name), torch.empty(prod(shape))
    for stream, part in enumerate(values.split(DRAWN)):
        part[:] = normal_on(values.device, key, len(part), stream)
    return values.view(shape)
