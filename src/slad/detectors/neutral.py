"""NeuTraL AD (Qiu et al., ICML 2021): contrastive learning with learned views of a row."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import torch
from torch import Tensor
from torch.nn.functional import leaky_relu_

from slad.core.products import row_product
from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import Batch, Method, Shapes, Tensors, draw_uniform
from slad.learning.mlp import SLOPE, leaky_backward

KINDS = ("residual", "multiplicative", "forward")
LEAST_NORM = 1e-12
"""A representation shorter than this is not brought to length 1 (torch's `normalize`)."""


@dataclass(kw_only=True, eq=False, repr=False)
class NeuTraL(NetworkDetector):
    """Neural transformation learning: rows whose learned views are hard to distinguish.

    Networks transform a row in several ways, and an encoder represents all these views. The
    deterministic contrastive loss is small if every view is near the row itself and far from the
    other views. It is also the score.

    Parameters
    ----------
    n_transformations : int, default=11
        Learned views of a row (the authors' settings for tables).
    transformation : {"residual", "multiplicative", "forward"}, default="residual"
        The view of a row x, given the network's output t(x): x + t(x), x * sigmoid(t(x)), or t(x)
        (section 3.1 of the paper; residual in the authors' settings for tables, and in DeepOD).
    transformation_hidden_dim : int, default=50
        Units of each transformation's hidden layer (DeepOD's; the authors' differ by dataset).
    temperature : float, default=0.1
        Of the similarities (the authors' settings).
    hidden_dim : int, default=100
        Units of the encoder's hidden layer (the SLAD paper's implementation section).
    representation_dim : int, default=128
        Dimensions of a representation (the same).

    All other parameters are those of `NetworkDetector`: epochs, batch_size, learning_rate,
    weight_decay, scaling, n_members, patience, contamination, device, random_state, verbose.

    Notes
    -----
    No layer has a bias, as in the authors' settings: a constant view would be easy to
    distinguish from the others without information about the row. So all views of a row of
    zeros, which are the smallest values under min-max scaling, are zeros, and its score is 1. The
    loss is scaled as in the authors' code: it is 1 if all representations are equal.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import NeuTraL
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = NeuTraL(epochs=10, random_state=0).fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    n_transformations: int = 11
    transformation: str = "residual"
    transformation_hidden_dim: int = 50
    temperature: float = 0.1
    hidden_dim: int = 100
    representation_dim: int = 128

    def _method(self, n_rows: int, n_features: int) -> Method:
        return Views(
            n_features,
            self.n_transformations,
            self.transformation,
            self.transformation_hidden_dim,
            float(self.temperature),
            self.hidden_dim,
            self.representation_dim,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "transformation", KINDS)
        check_number(self, "n_transformations", 2)  # one view has no others to differ from
        check_number(self, "temperature", 1e-6, whole=False)
        for name in ("transformation_hidden_dim", "hidden_dim", "representation_dim"):
            check_number(self, name, 1)


@dataclass(frozen=True)
class Views(Method):
    """The deterministic contrastive loss of a row and its views.

    Representations z = h E, of hidden units h under the encoder's last layer E, enter the loss by
    the products of pairs alone. So they are never computed: z z' = h (E E') h', which saves one
    large product of five.
    """

    n_views: int
    kind: str
    transformation_dim: int
    temperature: float
    hidden_dim: int
    representation_dim: int

    @property
    def shapes(self) -> Shapes:
        # The first layers of all transformations are one matrix: they read the same row.
        return {
            "first": (self.n_features, self.n_views * self.transformation_dim),
            "second": (self.n_views, self.transformation_dim, self.n_features),
            "encoder": (self.n_features, self.hidden_dim),
            "representation": (self.hidden_dim, self.representation_dim),
        }

    def initial(self, streams: Streams) -> Tensors:
        """Drawn as torch draws linear layers."""
        inputs = (self.n_features, self.transformation_dim, self.n_features, self.hidden_dim)
        return {
            name: draw_uniform(streams, name, shape, into**-0.5)
            for (name, shape), into in zip(self.shapes.items(), inputs, strict=True)
        }

    @property
    def cells_per_row(self) -> int:
        views = self.n_views + 1
        each = self.transformation_dim + 2 * self.n_features + 2 * self.hidden_dim + views
        return views * each

    @property
    def scale(self) -> float:
        """Brings the loss to 1 where every representation is the same (the authors' code)."""
        return 1 / (self.n_views * log(self.n_views))

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        return self._contrast(weights, batch.rows)

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "m b"]:
        return self._contrast(weights, rows[None])

    def _contrast(self, weights: Tensors, rows: Float[Tensor, "_ b d"]) -> Float[Tensor, "m b"]:
        """The paper's deterministic contrastive loss, scaled."""
        views = self._views(rows, self._transform(weights, rows)[1])
        similar, _ = self._similarities(*self._encode(weights, views))
        return self._shares(similar)[..., 0].sum(-1) * -self.scale

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        rows = batch.rows
        inner, outputs = self._transform(weights, rows)
        views = self._views(rows, outputs)
        hidden, turned = self._encode(weights, views)
        similar, lengths = self._similarities(hidden, turned)
        shares = self._shares(similar)
        losses = (shares[..., 0].sum(-1) * batch.weight).sum(1) * -self.scale

        slopes = self._by_products(similar, lengths, shares)
        slopes *= (batch.weight * self.scale)[:, :, None, None]
        square = _sum_products(hidden, torch.matmul(slopes, hidden))
        torch.matmul(square, weights["representation"], out=gradients["representation"])
        by_encoder = torch.matmul(slopes, turned)
        leaky_backward(by_encoder, hidden)
        gradients["encoder"].copy_(_sum_products(views, by_encoder))

        by_view = row_product(by_encoder.flatten(1, 2), weights["encoder"].mT).view_as(views)
        by_output = by_view[:, :, 1:].transpose(1, 2)
        if self.kind == "multiplicative":
            by_output = by_output * rows.unsqueeze(1)
            by_output = torch.ops.aten.sigmoid_backward(by_output, torch.sigmoid(outputs))
        by_output = by_output.contiguous()
        row_product(inner.mT, by_output, out=gradients["second"])
        by_inner = row_product(by_output, weights["second"].mT)
        leaky_backward(by_inner, inner)
        torch.matmul(rows.mT, by_inner.transpose(1, 2).flatten(2), out=gradients["first"])
        return losses

    def _transform(
        self, weights: Tensors, rows: Float[Tensor, "_ b d"]
    ) -> tuple[Float[Tensor, "m k b hidden"], Float[Tensor, "m k b d"]]:
        """Hidden units and outputs of the transformations."""
        inner = leaky_relu_(row_product(rows, weights["first"]), SLOPE)
        inner = inner.unflatten(-1, (self.n_views, -1)).transpose(1, 2).contiguous()
        return inner, row_product(inner, weights["second"])

    def _views(
        self, rows: Float[Tensor, "_ b d"], outputs: Float[Tensor, "m k b d"]
    ) -> Float[Tensor, "m b views d"]:
        """Each row and its views."""
        rows, outputs = rows.unsqueeze(2), outputs.transpose(1, 2)
        if self.kind == "residual":
            outputs = outputs + rows
        elif self.kind == "multiplicative":
            outputs = torch.sigmoid(outputs) * rows
        return torch.cat([rows.expand(len(outputs), -1, -1, -1), outputs], 2)

    def _encode(
        self, weights: Tensors, views: Float[Tensor, "m b views d"]
    ) -> tuple[Float[Tensor, "m b views hidden"], Float[Tensor, "m b views hidden"]]:
        """Hidden units h of all views, and h E E'."""
        hidden = leaky_relu_(row_product(views.flatten(1, 2), weights["encoder"]), SLOPE)
        last = weights["representation"]
        turned = row_product(hidden, torch.matmul(last, last.mT))
        return hidden.unflatten(1, views.shape[1:3]), turned.unflatten(1, views.shape[1:3])

    def _similarities(
        self, hidden: Float[Tensor, "m b views hidden"], turned: Float[Tensor, "m b views hidden"]
    ) -> tuple[Float[Tensor, "m b views views"], Float[Tensor, "m b views 1"]]:
        """Cosines of representations over the temperature, and the representations' lengths."""
        products = row_product(turned, hidden.mT)
        squares = products.diagonal(dim1=-2, dim2=-1).unsqueeze(-1)
        lengths = squares.clamp_min(LEAST_NORM**2).sqrt()
        return products / (lengths * (lengths * self.temperature).mT), lengths

    def _shares(self, similar: Float[Tensor, "m b views views"]) -> Float[Tensor, "m b k views"]:
        """Log of the share that each other view, and the row, has in a view's similarities."""
        same = torch.eye(similar.shape[-1], dtype=torch.bool, device=similar.device)
        return torch.log_softmax(similar.masked_fill(same, -torch.inf)[:, :, 1:], -1)

    def _by_products(
        self,
        similar: Float[Tensor, "m b views views"],
        lengths: Float[Tensor, "m b views 1"],
        shares: Float[Tensor, "m b k views"],
    ) -> Float[Tensor, "m b views views"]:
        """What a row's representations are multiplied with to give the loss's slopes by them."""
        slopes = torch.zeros_like(similar)
        torch.exp(shares, out=slopes[:, :, 1:])  # by the similarities: the shares,
        slopes[:, :, 1:, 0] -= 1  # less 1 for that of the row
        slopes = slopes + slopes.mT
        along = torch.linalg.vecdot(slopes, similar).unsqueeze(-1)  # what lengths take back
        slopes /= lengths * (lengths * self.temperature).mT
        slopes.diagonal(dim1=-2, dim2=-1).copy_((-along / lengths.square()).squeeze(-1))
        return slopes


def _sum_products(
    a: Float[Tensor, "m b views p"], c: Float[Tensor, "m b views q"]
) -> Float[Tensor, "m p q"]:
    """Summed over rows and views, in parts: several threads would cut one long sum in two, and
    not so in a stack."""
    m, b, views, _ = a.shape
    return torch.matmul(a.view(m, views, b, -1).mT, c.view(m, views, b, -1)).sum(1)
