"""Training steps: one by one on a CPU, as replays of a captured CUDA graph on a GPU."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from slad.core.typing import Float, Int
from slad.learning.objective import Objective
from slad.learning.optimizer import StackOptimizer
from slad.learning.sharing import ALONE, Share

RECAPTURE = 0.75
"""A new graph is captured when at most this share of its members is still training."""
CLEAR_EVERY = 100
"""Steps after which tiny weights are set to zero. Shrinking by a tenth a step, they need more steps
to become subnormal. Captured steps omit this, since a GPU is not slower with such numbers."""
REPLAYS_BETWEEN_LOOKS = 64
"""Replays between two checks whether to stop, so that Ctrl-C takes effect in milliseconds."""


class Steps:
    """A step computes the gradients of the first k members, sums them over all processes, and calls
    the optimiser."""

    def __init__(
        self, objective: Objective, optimizer: StackOptimizer, share: Share = ALONE
    ) -> None:
        self.objective, self.optimizer, self.share = objective, optimizer, share
        self.k = 0

    def prepare(self, k: int) -> int:
        """Prepare steps of k members; returns how many are really stepped, k or more."""
        if k != self.k:
            self.k = k
            self.optimizer.prepare(k)
        return k

    def run(
        self,
        where: Int[Tensor, "t k b"],
        weight: Float[Tensor, "t k b"],
        stop: Callable[[], bool],
    ) -> Float[Tensor, "done k"]:
        """Run the steps until `stop` returns true; the losses of the steps done."""
        losses = torch.empty(where.shape[:2], device=where.device)
        gradients = self.objective.parameters.gradients[: self.k]
        before = int(self.optimizer.steps)
        for step in range(len(where)):
            if stop():
                return losses[:step].cpu()
            losses[step] = self.objective.step(where[step], weight[step])
            self.share.total(gradients, losses[step])
            self.optimizer.step()
            if (before + step + 1) % CLEAR_EVERY == 0:
                self.optimizer.clear()
        return losses.cpu()


class CapturedSteps(Steps):
    """Steps as replays of a CUDA graph, which reads its batch at a cursor on the device."""

    graph: torch.cuda.CUDAGraph | None = None

    def prepare(self, k: int) -> int:
        if self.graph is None or k <= RECAPTURE * self.k:
            self.k, self.graph = k, None
            self.optimizer.prepare(k)
        return self.k

    def run(
        self,
        where: Int[Tensor, "t k b"],
        weight: Float[Tensor, "t k b"],
        stop: Callable[[], bool],
    ) -> Float[Tensor, "done k"]:
        pieces = []
        for start in range(0, len(where), self._room(where)):
            piece = slice(start, start + self._room(where))
            pieces.append(self._run_piece(where[piece], weight[piece], stop))
            if len(pieces[-1]) < len(where[piece]):
                break
        return torch.cat(pieces).cpu()

    def _room(self, where: Tensor) -> int:
        return len(where) if self.graph is None else len(self.where)

    def _run_piece(self, where: Tensor, weight: Tensor, stop: Callable[[], bool]) -> Tensor:
        steps, done = len(where), 0
        if self.graph is None:
            done = self._capture(where, weight)
        else:
            self.where[:steps].copy_(where)
            self.weight[:steps].copy_(weight)
            self.cursor.zero_()
        assert self.graph is not None or done == steps
        while done < steps and not stop():
            count = min(REPLAYS_BETWEEN_LOOKS, steps - done)
            for _ in range(count):
                self.graph.replay()  # type: ignore[union-attr]
            done += count
            torch.cuda.current_stream().synchronize()
        return self.losses[:done].clone()

    def _capture(self, where: Tensor, weight: Tensor) -> int:
        """Run some steps without a graph, as CUDA needs before a capture, then capture one."""
        self.where, self.weight = where.clone(), weight.clone()
        self.losses = torch.empty(where.shape[:2], device=where.device)
        self.cursor = torch.zeros(1, dtype=torch.long, device=where.device)
        warm_up = min(3, len(where))
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(warm_up):
                self._step_at_cursor()
        torch.cuda.current_stream().wait_stream(side)
        if warm_up < len(where):
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self._step_at_cursor()
        return warm_up

    def _step_at_cursor(self) -> None:
        where = self.where.index_select(0, self.cursor).squeeze(0)
        weight = self.weight.index_select(0, self.cursor).squeeze(0)
        losses = self.objective.step(where, weight)
        self.losses.index_copy_(0, self.cursor, losses.unsqueeze(0))
        self.optimizer.step()
        self.cursor += 1


def make_stepper(objective: Objective, optimizer: StackOptimizer, share: Share = ALONE) -> Steps:
    """Captured steps on a GPU, except if several processes share the training."""
    captured = objective.parameters.values.device.type == "cuda" and share.world == 1
    return (CapturedSteps if captured else Steps)(objective, optimizer, share)
