"""RCA (Liu et al., IJCAI 2021): two autoencoders, each trained on rows that the other selects."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from slad.core.products import row_product
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors.parts.checks import check_number
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import MLP, Batch, Method, Shapes, Tensors, leaky
from slad.learning.dropout import draw_kept, fixed_kept
from slad.learning.mlp import SLOPE

NETWORKS = 2
"""The authors found two to be enough."""
ROUNDING = 1e-3
"""Added to rows x share before it is cut to an integer: 0.9 x 10 are 9 rows."""


@dataclass(kw_only=True, eq=False, repr=False)
class RCA(NetworkDetector):
    """Robust collaborative autoencoders: rows with a bad reconstruction.

    In every batch each network selects the rows that it reconstructs best, and the other network
    trains on these, so that anomalies among the training rows are left out. The score of a row is
    its mean squared error over both networks and over versions of them with units left out.

    Parameters
    ----------
    anomaly_ratio : float, default=0.02
        Fraction of the rows left out at the end of training. The paper uses the true contamination;
        this is the value of DeepOD, the code of the SLAD paper's rivals.
    alpha : float, default=0.5
        Fraction of the epochs in which the number of rows left out grows from none to all of these
        (the authors' code).
    dropout : float, default=0.5
        Chance of a hidden unit to be left out, in training and in scoring (the authors' code).
    n_passes : int, default=10
        Versions of the encoders in scoring (DeepOD; the authors' code takes 1,000).
    hidden_dim : int, default=100
        Units of the encoders' and of the decoders' hidden layer (the SLAD paper's implementation
        section).
    representation_dim : int, default=128
        Units between encoder and decoder (the same).

    All other parameters are those of `NetworkDetector`: epochs, batch_size, learning_rate,
    weight_decay, scaling, n_members, patience, contamination, device, random_state, verbose.

    Notes
    -----
    A score is an expected error under dropout. The authors' code estimates it from passes with
    units drawn anew for every row, so a row's score changes from call to call. Here the encoders'
    units are drawn once, from the seed, for all rows, and the mean over the decoders' units is
    exact: it has a closed form. `score_parts` gives the error of every pass.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import RCA
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = RCA(epochs=10, random_state=0).fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    anomaly_ratio: float = 0.02
    alpha: float = 0.5
    dropout: float = 0.5
    n_passes: int = 10
    hidden_dim: int = 100
    representation_dim: int = 128

    def _method(self, n_rows: int, n_features: int) -> Method:
        sizes = n_features, self.hidden_dim, self.representation_dim
        return Collaboration(
            n_features,
            MLP("encoder", sizes, copies=(NETWORKS,)),
            MLP("decoder", sizes[::-1], copies=(NETWORKS,)),
            self.anomaly_ratio,
            self.alpha,
            self.dropout,
            self.n_passes if self.dropout else 1,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self, "anomaly_ratio", 0, most=0.99, whole=False)
        check_number(self, "alpha", 0.001, most=1, whole=False)
        check_number(self, "dropout", 0, most=0.99, whole=False)
        for name in ("n_passes", "hidden_dim", "representation_dim"):
            check_number(self, name, 1)


@dataclass(frozen=True)
class Collaboration(Method):
    """Two autoencoders, each trained on the rows that the other reconstructs best.

    Nothing stands between the encoder's last product and the decoder's first (no activation, bias
    or dropout), so the two matrices are multiplied once a step (`middle`), and not row by row.
    """

    encoder: MLP
    decoder: MLP
    anomaly_ratio: float
    alpha: float
    dropout: float
    n_passes: int

    @property
    def shapes(self) -> Shapes:
        return self.encoder.shapes | self.decoder.shapes

    @property
    def hidden_dim(self) -> int:
        return self.encoder.sizes[1]

    @property
    def cells_per_row(self) -> int:
        return NETWORKS * (5 * self.hidden_dim + 3 * self.n_features)

    def initial(self, streams: Streams) -> Tensors:
        return self.encoder.initial(streams) | self.decoder.initial(streams)

    def draw(self, generator: torch.Generator, batch_size: int) -> Tensors:
        shape = batch_size, 2, NETWORKS, self.hidden_dim
        return {"kept": draw_kept(generator, shape, self.dropout)}

    def fixed(self, streams: Streams, device: torch.device) -> Tensors:
        shape = self.n_passes, NETWORKS, self.hidden_dim, 1
        return {"passes": fixed_kept(streams, "passes", shape, self.dropout).to(device)}

    # -- training ------------------------------------------------------------------------------

    def losses(self, weights: Tensors, constants: Tensors, batch: Batch) -> Float[Tensor, "k b"]:
        rows, middle = batch.rows.unsqueeze(1), self._middle(weights)
        hidden = self._hidden(weights, rows)
        with torch.no_grad():
            chosen = self._chosen(weights, middle, hidden, rows, batch)
        kept = _by_layer(batch.draws["kept"])
        decoded = leaky((hidden * kept[0]) @ middle) * kept[1]
        errors = (decoded @ weights["decoder.1"] - rows).square().mean(-1)
        return (errors * chosen).sum(1) * batch.real.sum(1, keepdim=True)

    def differentiate(
        self, weights: Tensors, gradients: Tensors, constants: Tensors, batch: Batch
    ) -> Float[Tensor, " k"]:
        rows, middle = batch.rows.unsqueeze(1), self._middle(weights)
        hidden = self._hidden(weights, rows)
        chosen = self._chosen(weights, middle, hidden, rows, batch)
        kept = _by_layer(batch.draws["kept"])

        encoded = hidden * kept[0]
        decoded = leaky(encoded @ middle).mul_(kept[1])
        misses = (decoded @ weights["decoder.1"]).sub_(rows)
        slopes = misses * chosen.div_(self.n_features).unsqueeze(-1)
        losses: Tensor = torch.linalg.vecdot(misses, slopes).sum((1, 2))

        torch.matmul(decoded.mT, slopes.mul_(2), out=gradients["decoder.1"])
        slopes = _before(slopes @ weights["decoder.1"].mT, decoded, kept[1])
        by_middle = encoded.mT @ slopes
        torch.matmul(by_middle, weights["decoder.0"].mT, out=gradients["encoder.1"])
        torch.matmul(weights["encoder.1"].mT, by_middle, out=gradients["decoder.0"])
        slopes = _before(slopes @ middle.mT, hidden, kept[0])
        torch.matmul(rows.mT, slopes, out=gradients["encoder.0"])
        return losses

    def _chosen(
        self, weights: Tensors, middle: Tensor, hidden: Tensor, rows: Tensor, batch: Batch
    ) -> Float[Tensor, "k 2 b"]:
        """How much each network learns from each row: equally much from those that the other one
        reconstructs best (with all of its units), nothing from other rows; the sum is 1."""
        errors = _errors(leaky(hidden @ middle) @ weights["decoder.1"], rows)
        real = batch.real.unsqueeze(1)
        order = errors.masked_fill_(~real, torch.inf).argsort(dim=-1, stable=True)
        count = self._count(real.sum(-1, keepdim=True), batch)
        places = torch.arange(order.shape[-1], device=order.device)
        best = ((places < count) / count).expand_as(errors)
        return torch.empty_like(errors).scatter_(-1, order, best).flip(1)

    def _count(self, present: Int[Tensor, "k 1 1"], batch: Batch) -> Float[Tensor, "k 1 1"]:
        """How many of a batch's rows to learn from: all at first, at least one."""
        gone = batch.epoch / batch.epochs
        share = gone.mul_(-self.anomaly_ratio / self.alpha).add_(1).clamp_(1 - self.anomaly_ratio)
        return (present * share.view(-1, 1, 1)).add_(ROUNDING).floor_().clamp_(min=1)

    # -- the networks --------------------------------------------------------------------------

    def _middle(self, weights: Tensors) -> Float[Tensor, "m 2 h h"]:
        return weights["encoder.1"] @ weights["decoder.0"]

    def _hidden(self, weights: Tensors, rows: Float[Tensor, "_ 1 b d"]) -> Float[Tensor, "m 2 b h"]:
        return leaky(row_product(rows, weights["encoder.0"]))

    def scores(
        self, weights: Tensors, constants: Tensors, rows: Float[Tensor, "b d"]
    ) -> Float[Tensor, "parts b"]:
        """The error of every pass of every member."""
        given, middle, last = rows[None, None], self._middle(weights), weights["decoder.1"]
        hidden = self._hidden(weights, given)
        # A mean of squares: that of the mean output, and the variance that dropout gives it.
        spread = last.square().sum(-1, keepdim=True) * (self.dropout / (1 - self.dropout))
        errors = []
        for kept in constants["passes"].unbind(1):
            # No product with a unit that is left out for all rows.
            decoded = leaky(row_product(hidden, kept * middle))
            error = _errors(row_product(decoded, last), given)
            error += (decoded.square_() @ spread).squeeze(-1)
            errors.append(error.mean(1))
        return torch.stack(errors, 1).flatten(0, 1).div_(self.n_features)


def _errors(given_back: Float[Tensor, "*any d"], rows: Tensor) -> Float[Tensor, " *any"]:
    """Squared, and summed over the features."""
    misses = given_back.sub_(rows)
    errors: Tensor = torch.linalg.vecdot(misses, misses)
    return errors


def _by_layer(kept: Float[Tensor, "k b 2 2 h"]) -> tuple[Tensor, Tensor]:
    """What to multiply the encoders' and the decoders' hidden units by, network by network."""
    first, second = kept.unbind(2)
    return first.transpose(1, 2), second.transpose(1, 2)


def _before(slopes: Tensor, hidden: Tensor, kept: Tensor) -> Tensor:
    """Derivatives before dropout and LeakyReLU, which keeps the sign of what it is given."""
    before: Tensor = torch.ops.aten.leaky_relu_backward(slopes.mul_(kept), hidden, SLOPE, True)
    return before
