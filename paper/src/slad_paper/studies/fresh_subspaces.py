"""The paper's scale learning with subspaces drawn anew for every batch: a trial of the search.

A fixed set of subspaces can be learned by heart. Here no subspace comes twice: cells outside of it
are set to 0, their column's mean, the lengths of a group's subspaces are labelled as in the paper,
and a network learns the distribution of these labels. Rows are judged on one fixed set, which it
has never seen.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import torch
from torch import Tensor, nn

from slad.core.devices import resolve_device
from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.detectors.parts.scaling import Scaler

SPREAD = 16.0
"""Label of a whole row: about the paper's gamma D / h in a table of ten columns."""
CELLS = 2**24


class FreshSubspaces:
    """As `SLAD` answers: `fit`, `group_losses`, `transform`."""

    def __init__(
        self,
        *,
        n_groups: int = 20,
        group_size: int = 10,
        layers: tuple[int, ...] = (100,),
        steps: int = 2000,
        batch_size: int = 128,
        learning_rate: float = 1e-3,
        device: str = "auto",
        random_state: int = 0,
    ) -> None:
        self.n_groups, self.group_size = n_groups, group_size
        self.layers, self.steps, self.batch_size = layers, steps, batch_size
        self.learning_rate, self.device, self.random_state = learning_rate, device, random_state

    def fit(self, X: np.ndarray) -> Self:
        self._on, streams = resolve_device(self.device), Streams(self.random_state)
        self._scaler = Scaler.fit("standard", X)
        rows = self._rows(X)
        self._network = self._initial(rows.shape[1], streams).to(self._on)
        self._masks = self._drawn(self.n_groups, rows.shape[1], streams.torch("judging", self._on))
        draws = streams.torch("batches", self._on)
        optimizer = torch.optim.Adam(self._network.parameters(), self.learning_rate)
        for _ in range(self.steps):
            some = torch.randint(len(rows), (self.batch_size,), generator=draws, device=self._on)
            masks = self._drawn(self.batch_size, rows.shape[1], draws)
            loss = self._loss(self._network(rows[some, None] * masks)[..., 0], masks).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return self

    def group_losses(self, X: np.ndarray) -> Float[np.ndarray, "n groups"]:
        predicted = torch.from_numpy(self.transform(X)).to(self._on)
        grouped = predicted.unflatten(1, (self.n_groups, self.group_size))
        losses: np.ndarray = self._loss(grouped, self._masks).double().cpu().numpy()
        return losses

    def transform(self, X: np.ndarray) -> Float[np.ndarray, "n scales"]:
        rows, masks = self._rows(X), self._masks.flatten(0, 1)
        size = max(1, CELLS // masks.numel())
        with torch.inference_mode():
            parts = [
                self._network(part[:, None] * masks)[..., 0].cpu() for part in rows.split(size)
            ]
        return torch.cat(parts).numpy()

    def _rows(self, X: Any) -> Float[Tensor, "n d"]:
        return self._scaler.cells(X).to(self._on)

    def _initial(self, width: int, streams: Streams) -> nn.Sequential:
        """Weights as torch draws them, from a stream of our own."""
        sizes, own = [width, *self.layers], streams.torch("weights", torch.device("cpu"))
        parts: list[nn.Module] = []
        for before, after in zip(sizes, [*sizes[1:], 1], strict=True):
            layer = nn.utils.skip_init(nn.Linear, before, after)
            for weights in layer.parameters():
                nn.init.uniform_(weights, -(before**-0.5), before**-0.5, generator=own)
            parts += [layer, nn.LeakyReLU()]
        return nn.Sequential(*parts[:-1])

    def _drawn(
        self, groups: int, width: int, generator: torch.Generator
    ) -> Float[Tensor, "groups size d"]:
        """1 for the cells of a subspace, 0 for all others; any length is as likely."""
        shape = (groups, self.group_size)
        lengths = torch.randint(1, width + 1, shape, generator=generator, device=self._on)
        order = torch.rand(*shape, width, generator=generator, device=self._on).argsort(-1)
        return (order < lengths.unsqueeze(-1)).float()

    def _loss(
        self, predicted: Float[Tensor, "n size"], masks: Float[Tensor, "n size d"]
    ) -> Float[Tensor, " n"]:
        """KL(y || p) over a group."""
        labels = (SPREAD * masks.mean(-1)).log_softmax(-1)
        return (labels.exp() * (labels - predicted.log_softmax(-1))).sum(-1)
