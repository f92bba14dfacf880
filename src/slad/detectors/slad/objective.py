"""The five steps together as an objective of a stack of members, each with its own rows.

A training sample is a (row, group) pair: the c representations of the row by the maps of the group,
and the labels of the group. Batches mix groups, as in the released code. (Batches of one group need
fewer operations on narrow tables but learn worse.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from slad.core.devices import available_memory
from slad.core.rows import Rows
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors.slad.fused import fused_head
from slad.detectors.slad.loss import Loss
from slad.detectors.slad.network import ScaleNetwork
from slad.detectors.slad.transform import AffineMaps
from slad.learning.parameters import ParameterStack

KEEP_AT_MOST = {"cpu": 2**30, "cuda": 2**36}
"""Bytes of representations kept at most; never over a quarter (GPU: half) of free memory."""
WINDOW_BYTES = {"cpu": 2**26, "cuda": 2**31}
"""Bytes of representations made at a time if not all are kept."""


def rows_per_group(n_rows: int, n_groups: int) -> int:
    """Rows of one group in one epoch, as in the released code: int(N / r) * k, at least 10."""
    return max(int(n_rows // n_groups) * rounds(n_rows), 10)


def rounds(n_rows: int) -> int:
    """How often a row is used in an epoch, on average: k of the released code."""
    return next(k for k, limit in _REPEATS if n_rows < limit)


_REPEATS = ((50, 500), (20, 1000), (5, 5000), (2, 100_001), (1, float("inf")))


class Task(Protocol):
    """The training data of one member, as the objective needs it."""

    maps: AffineMaps
    labels: Float[np.ndarray, "r c"]

    @property
    def n_samples(self) -> int: ...

    @property
    def streams(self) -> bool:
        """Whether samples come only once and in order, so that none is kept for later epochs."""
        ...

    def find(self, samples: Int[Tensor, " k"]) -> tuple[Int[Tensor, " k"], Rows, Int[Tensor, " k"]]:
        """The groups of the samples, some rows, and the places of the samples among these rows."""
        ...


@dataclass
class ScaleTask:
    """What one member learns from: rows, maps and labels.

    Sample s is row `draws[s]` in group `s // per_group`; without draws every row is in every
    group, and sample s is row `s % per_group`.
    """

    rows: Rows
    maps: AffineMaps
    labels: Float[np.ndarray, "r c"]
    per_group: int
    draws: Int[Tensor, " samples"] | None

    @property
    def n_samples(self) -> int:
        return self.per_group * len(self.labels)

    @property
    def streams(self) -> bool:
        return False

    def find(self, samples: Int[Tensor, " k"]) -> tuple[Int[Tensor, " k"], Rows, Int[Tensor, " k"]]:
        places = samples % self.per_group if self.draws is None else self.draws[samples]
        return samples // self.per_group, self.rows, places


def draw_rows(n_rows: int, n_groups: int, streams: Streams) -> tuple[int, Int[Tensor, " samples"]]:
    """The released code's samples: rows drawn with replacement, once, for every group."""
    per_group = rows_per_group(n_rows, n_groups)
    rows = streams.numpy("rows").integers(n_rows, size=n_groups * per_group)
    return per_group, torch.from_numpy(rows)


class ScaleObjective:
    """Trains Phi for every task at once; implements `slad.learning.Objective`."""

    def __init__(
        self,
        tasks: Sequence[Task],
        network: ScaleNetwork,
        loss: Loss,
        parameters: ParameterStack,
        *,
        batch_size: int,
        keep: bool,
    ) -> None:
        self.tasks, self.network, self.loss, self.parameters = tasks, network, loss, parameters
        self.device = parameters.values.device
        self.group_size = int(tasks[0].labels.shape[1])
        self.n_samples = [task.n_samples for task in tasks]
        self.targets = [
            loss.target(torch.from_numpy(task.labels).double()).float().to(self.device)
            for task in tasks
        ]
        keep = keep and self._all_fit() and not any(task.streams for task in tasks)
        self.window = None if keep else self._window(batch_size)
        capacity = sum(self.n_samples) if self.window is None else self.window * len(tasks)
        shape = (capacity, self.group_size * network.width)
        self.lifted = torch.empty(shape, device=self.device)
        self.target = torch.empty(capacity, self.group_size, device=self.device)
        self._workspace = _Workspace(self, 0, 0)
        self._fused = fused_head(loss, self.group_size, self.device)

    @property
    def _sample_bytes(self) -> int:
        return self.group_size * self.network.width * 4

    def _room(self, at_most: dict[str, int]) -> int:
        free = available_memory(self.device) // (4 if self.device.type == "cpu" else 2)
        return min(at_most[self.device.type], free)

    def _all_fit(self) -> bool:
        return sum(self.n_samples) * self._sample_bytes <= self._room(KEEP_AT_MOST)

    def _window(self, batch_size: int) -> int:
        room = self._room(WINDOW_BYTES) // (self._sample_bytes * len(self.tasks))
        return max(batch_size, room)

    def load(self, member: int, start: int, samples: Int[Tensor, " k"]) -> None:
        """Lift the `samples` of a member into places `start`, `start + 1`, ... of the bank."""
        task = self.tasks[member]
        places = slice(start, start + len(samples))
        lifted = self.lifted[places].view(len(samples), self.group_size, -1)
        groups, source, rows = task.find(samples)
        self.target[places] = self.targets[member][groups]
        order = torch.argsort(groups, stable=True)
        of_group = order.split(torch.bincount(groups, minlength=len(task.labels)).tolist())
        for lift in task.maps.lifts(self.device):
            chosen = of_group[lift.first // self.group_size]
            mine = source.take(rows[chosen])
            representations = mine.times(lift.matrix, lift.features) + lift.bias
            place = lift.first % self.group_size
            lifted[chosen, place : place + lift.size] = task.maps.finish(
                lift.first, representations.unflatten(1, (lift.size, -1))
            )

    def step(self, where: Int[Tensor, "k b"], weight: Float[Tensor, "k b"]) -> Float[Tensor, " k"]:
        """Gradients of the first k members for the samples at places `where`; their losses."""
        k, b = where.shape
        if (k, b) != self._workspace.shape:
            self._workspace = _Workspace(self, k, b)
        work = self._workspace
        places = where.reshape(-1)
        torch.index_select(self.lifted, 0, places, out=work.flat_lifted)
        losses = self._losses_and_slopes(work, places, weight)
        self.network.backward(work.weights, work.gradients, work.lifted, work.slopes)
        return losses.sum(1)

    def _losses_and_slopes(
        self, work: _Workspace, places: Int[Tensor, " kb"], weight: Float[Tensor, "k b"]
    ) -> Float[Tensor, "k b"]:
        """Weighted losses. Their derivatives are written to `work.slopes`."""
        if self._fused is not None:
            self.network.first_layer(work.weights, work.lifted, work.hidden)
            return self._fused(work.weights, work.hidden, self.target, places, weight, work.slopes)
        torch.index_select(self.target, 0, places, out=work.flat_target)
        outputs = self.network.forward(work.weights, work.lifted, work.hidden)
        by_group = outputs.unflatten(2, (-1, self.group_size)).transpose(1, 2)
        losses, slopes = self.loss.value_and_gradient(by_group, work.target)
        slopes *= weight[:, :, None, None]
        self.network.slopes(
            work.weights,
            work.gradients,
            work.hidden,
            slopes.transpose(1, 2).flatten(2),
            work.slopes,
        )
        return losses.view_as(weight) * weight


class _Workspace:
    """Tensors that a step of k members and b samples writes to.

    They are reused in every step: new tensors of megabytes would cost page faults on a CPU.
    """

    def __init__(self, objective: ScaleObjective, k: int, b: int) -> None:
        self.shape = k, b
        c, network = objective.group_size, objective.network

        def empty(*shape: int) -> Tensor:
            return torch.empty(shape, device=objective.device)

        if k == 0:
            return
        self.flat_lifted, self.flat_target = empty(k * b, c * network.width), empty(k * b, c)
        self.lifted = self.flat_lifted.view(k, b * c, network.width)
        self.target = self.flat_target.view(k, b, 1, c)
        self.hidden = empty(k, network.hidden_dim, b * c)
        self.slopes = empty(k, network.hidden_dim, b * c)
        self.weights, self.gradients = objective.parameters.first(k)
