"""The network of `slad.detectors.signals.weights` learns to rank the rows of many tables.

A step takes some sources at random, a table of each, and anomalies and normal rows of it. Its loss
is in part how often an anomaly is ranked below a normal row (a smooth AUC-ROC), in part how far it
is below the strangest of them (a softmax over the normal rows, which weighs the top of the
ranking). So every source counts once, every table by itself, and no score is compared across
tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import softplus

from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors.signals.profile import Extremes
from slad.detectors.signals.weights import Weights
from slad_paper.signals.table_inputs import PLANTED, Task


@dataclass(frozen=True)
class Settings:
    """Chosen by cross-validation on the one-class tables; paper/docs/signals.md has the log."""

    hidden: int = 32
    members: int = 3
    steps: int = 800
    rate: float = 5e-3
    decay: float = 0.1
    dropout: float = 0.2
    tables: int = 24
    """In a step."""
    planted: float = 0.5
    """Of these, the part with planted errors, where wrong cells are sought."""
    anomalies: int = 48
    normal: int = 192
    """Rows of a table in a step; drawn with repetition where there are fewer."""


def learned(tasks: Sequence[Task], settings: Settings, seed: int) -> Weights:
    """Weights of all members, side by side as one network."""
    if settings.hidden % 2:
        raise ConfigError(f"hidden={settings.hidden} is odd: half of the units bend upwards")
    members = [_Member.trained(tasks, settings, seed, at) for at in range(settings.members)]
    return joined_members(members, settings.hidden)


class _Member:
    """One network, in training."""

    def __init__(self, n_monotone: int, n_free: int, hidden: int, rng: np.random.Generator) -> None:
        self.n_monotone = n_monotone

        def parameter(values: np.ndarray) -> Tensor:
            return torch.tensor(values, dtype=torch.float32, requires_grad=True)

        self.monotone = parameter(rng.random((n_monotone, hidden)) * 6 / n_monotone)
        self.free = parameter(rng.normal(size=(n_free, hidden)) * 0.5 / n_free**0.5)
        self.bias = parameter(rng.normal(size=hidden) * 1.5 - 1)
        self.out = parameter(np.full(hidden, 1 / hidden))
        self.skip = parameter(np.full(n_monotone, 1 / n_monotone))
        self.free_skip = parameter(np.zeros(n_free))

    @classmethod
    def trained(cls, tasks: Sequence[Task], settings: Settings, seed: int, member: int) -> _Member:
        rng = Streams(seed, member).numpy("signals")
        n_monotone, n_free = split_sizes(tasks[0].inputs.shape[1])
        network = cls(n_monotone, n_free, settings.hidden, rng)
        parameters = list(network.parameters().values())
        optimiser = torch.optim.AdamW(parameters, lr=settings.rate, weight_decay=settings.decay)
        schedule = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, settings.rate, total_steps=settings.steps, pct_start=0.1
        )
        sampler = _Sampler(tasks, settings, rng)
        for _ in range(settings.steps):
            scores = network(sampler.batch())
            loss = _loss(scores[:, : settings.anomalies], scores[:, settings.anomalies :])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        return network

    def parameters(self) -> dict[str, Tensor]:
        return {name: each for name, each in vars(self).items() if isinstance(each, Tensor)}

    def __call__(self, inputs: Float[Tensor, "tables n inputs"]) -> Float[Tensor, "tables n"]:
        monotone, free = inputs.split([self.n_monotone, inputs.shape[-1] - self.n_monotone], -1)
        hidden = monotone @ self.monotone.clamp(min=0) + free @ self.free + self.bias
        up, down = hidden.chunk(2, dim=-1)
        bent = torch.cat([softplus(up), -softplus(-down)], dim=-1)
        straight = monotone @ self.skip.clamp(min=0) + free @ self.free_skip
        scores: Tensor = bent @ self.out.clamp(min=0) + straight
        return scores


class _Sampler:
    """Batches of rows: of some tables, first anomalies and then normal rows."""

    def __init__(self, tasks: Sequence[Task], settings: Settings, rng: np.random.Generator) -> None:
        self.settings, self.rng, self.tasks = settings, rng, tasks
        given: dict[str, list[int]] = {}
        planted: dict[str, list[int]] = {}
        for at, task in enumerate(tasks):
            groups = planted if task.case in PLANTED else given
            groups.setdefault(task.group, []).append(at)
        self.given, self.planted = list(given.values()), list(planted.values())
        self.rows = [
            (np.flatnonzero(task.labels == 1), np.flatnonzero(task.labels == 0)) for task in tasks
        ]

    def batch(self) -> Float[Tensor, "tables rows inputs"]:
        """With some inputs of every table set to zero, the median row's, as dropout."""
        settings, rng = self.settings, self.rng
        parts = []
        planted = round(settings.planted * settings.tables) if self.planted else 0
        for place in range(settings.tables):
            groups = self.planted if place < planted else self.given
            members = groups[rng.integers(len(groups))]
            at = members[rng.integers(len(members))]
            odd, normal = self.rows[at]
            chosen = [_drawn(odd, settings.anomalies, rng), _drawn(normal, settings.normal, rng)]
            parts.append(self.tasks[at].inputs[np.concatenate(chosen)])
        batch = torch.from_numpy(np.stack(parts)).float()
        kept = rng.random((settings.tables, 1, batch.shape[-1])) > settings.dropout
        return batch * torch.from_numpy(kept / (1 - settings.dropout)).float()


def _drawn(
    places: Int[np.ndarray, " n"], count: int, rng: np.random.Generator
) -> Int[np.ndarray, " count"]:
    return rng.choice(places, count, replace=len(places) < count)


def _loss(odd: Float[Tensor, "tables a"], normal: Float[Tensor, "tables n"]) -> Tensor:
    pairs = normal[:, None, :] - odd[:, :, None]
    ranked = softplus(pairs).mean()
    zero = torch.zeros_like(odd)[..., None]
    top = torch.logsumexp(torch.cat([zero, pairs], dim=2), dim=2).mean()
    return ranked / 2 + (top - float(np.log(normal.shape[1] / 2))) / 6


def split_sizes(inputs: int) -> tuple[int, int]:
    """How many inputs the network is monotone in, and how many are contrasts, of all looks."""
    monotone, free = Extremes.sizes()
    looks = inputs // (monotone + free)
    return looks * monotone, looks * free


def joined_members(members: Sequence[_Member], hidden: int) -> Weights:
    """The mean of the members' scores as one network with all their hidden units."""
    values = [
        {name: each.detach().numpy() for name, each in member.parameters().items()}
        for member in members
    ]
    half, count = hidden // 2, len(members)

    def side_by_side(name: str) -> np.ndarray:
        halves = [
            value[name][..., part] for part in (slice(half), slice(half, None)) for value in values
        ]
        joined: np.ndarray = np.concatenate(halves, axis=-1)
        return joined

    def mean(name: str) -> np.ndarray:
        found: np.ndarray = np.mean([value[name] for value in values], axis=0)
        return found.astype(np.float32)

    return Weights(
        np.maximum(side_by_side("monotone"), 0),
        side_by_side("free"),
        side_by_side("bias"),
        np.maximum(side_by_side("out"), 0) / np.float32(count),
        np.mean([np.maximum(value["skip"], 0) for value in values], axis=0).astype(np.float32),
        mean("free_skip"),
    )
