"""The objective that trains any `Method` on rows of tables."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from slad.core.devices import available_memory
from slad.core.typing import Float, Int
from slad.learning.method import Batch, Method, RowSource, Tensors
from slad.learning.parameters import ParameterStack

KEEP_AT_MOST = {"cpu": 2**30, "cuda": 2**35}
"""Bytes of rows kept on the device for all epochs, at most; never over a quarter of free memory."""
WINDOW_BYTES = {"cpu": 2**23, "cuda": 2**30}
"""Bytes of rows and random numbers made at a time if they are not kept."""


@dataclass
class RowsTask:
    """The training data of one member."""

    rows: RowSource
    fixed: Tensors
    """The constants of the method that follow from the seed of the member."""
    constants: Tensors
    """All constants, including `fixed`."""
    generator: torch.Generator
    """Source of the random numbers that the method draws at every visit of a row."""
    epochs: int


class RowsObjective:
    """Implements `slad.learning.Objective` for a stack of members of one method."""

    def __init__(
        self,
        method: Method,
        tasks: list[RowsTask],
        parameters: ParameterStack,
        *,
        batch_size: int,
    ) -> None:
        self.method, self.tasks, self.parameters = method, tasks, parameters
        self.batch_size = batch_size
        self.device = device = parameters.values.device
        self.n_samples = [len(task.rows) for task in tasks]
        self._drawn = self._draw_shapes()
        self.window = self._window()
        capacity = sum(self.n_samples) if self.window is None else self.window * len(tasks)
        self.bank = torch.empty(capacity, method.width, device=device)
        self.draws = {
            name: torch.empty(capacity, *shape, device=device)
            for name, shape in self._drawn.items()
        }
        names = tasks[0].constants
        self.constants = {
            name: torch.stack([task.constants[name] for task in tasks]) for name in names
        }
        per_epoch = [-(-samples // batch_size) for samples in self.n_samples]
        self.steps_per_epoch = torch.tensor(per_epoch, device=device)
        self.epochs = torch.tensor([float(task.epochs) for task in tasks], device=device)
        self.steps = torch.zeros((), dtype=torch.long, device=device)
        self._views = _Views(self, 0)

    def _draw_shapes(self) -> dict[str, tuple[int, ...]]:
        if not self.method.has_draws:
            return {}
        trial = self.method.draw(torch.Generator(self.device).manual_seed(0), self.batch_size)
        return {name: tuple(drawn.shape[1:]) for name, drawn in trial.items()}

    def _window(self) -> int | None:
        kind, free = self.device.type, available_memory(self.device) // 4
        size = self.method.width + sum(
            int(torch.Size(shape).numel()) for shape in self._drawn.values()
        )
        kept = sum(self.n_samples) * self.method.width * 4
        if not self._drawn and kept <= min(KEEP_AT_MOST[kind], free):
            return None
        room = min(WINDOW_BYTES[kind], free) // (size * 4 * len(self.tasks))
        return self.batch_size * max(1, room // self.batch_size)

    def load(self, member: int, start: int, samples: Int[Tensor, " k"]) -> None:
        """Put rows into places `start`, `start + 1`, ... of the bank, with fresh draws."""
        task = self.tasks[member]
        for first in range(0, len(samples), step := self._load_step()):
            part = samples[first : first + step]
            lifted = self.method.lift(task.fixed, task.rows.take(part))
            self.bank[start + first : start + first + len(part)] = lifted
        for first in range(0, len(samples), self.batch_size) if self._drawn else ():
            # By batches, so that the numbers do not depend on how many rows are loaded at a time.
            for name, drawn in self.method.draw(task.generator, self.batch_size).items():
                self.draws[name][start + first : start + first + self.batch_size] = drawn

    def _load_step(self) -> int:
        return max(self.batch_size, WINDOW_BYTES[self.device.type] // (4 * self.method.width))

    def step(self, where: Int[Tensor, "k b"], weight: Float[Tensor, "k b"]) -> Float[Tensor, " k"]:
        """Gradients of the first k members for the rows at places `where`; their losses."""
        k, b = where.shape
        if k != self._views.k:
            self._views = _Views(self, k)
        views, places = self._views, where.reshape(-1)
        batch = Batch(
            rows=self.bank.index_select(0, places).view(k, b, -1),
            weight=weight,
            draws={
                name: drawn.index_select(0, places).unflatten(0, (k, b))
                for name, drawn in self.draws.items()
            },
            steps=self.steps,
            steps_per_epoch=views.steps_per_epoch,
            epochs=views.epochs,
        )
        losses = self.method.differentiate(views.weights, views.gradients, views.constants, batch)
        self.steps += 1
        return losses


class _Views:
    """Views of the tensors of the first k members."""

    def __init__(self, objective: RowsObjective, k: int) -> None:
        self.k = k
        weights, gradients = objective.parameters.first(k)
        self.weights = {name: part.detach().requires_grad_() for name, part in weights.items()}
        self.gradients = gradients
        self.constants = {name: part[:k] for name, part in objective.constants.items()}
        self.steps_per_epoch = objective.steps_per_epoch[:k]
        self.epochs = objective.epochs[:k]
