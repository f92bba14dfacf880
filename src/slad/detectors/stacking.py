"""Fitting detectors with networks: one, or many of different tables and settings as one stack."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar, cast

import numpy as np
import torch

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError
from slad.core.seeds import RandomState, draw_seed
from slad.core.typing import Float, Table
from slad.detectors.base import Capability, Detector, warn
from slad.learning import (
    Callback,
    EarlyStop,
    Interrupt,
    MemberPlan,
    MemberResult,
    Objective,
    Progress,
    StackAdam,
    StackOptimizer,
    Stream,
    train,
)

AnyDetector = TypeVar("AnyDetector", bound=Detector)
LEAST_STEPS = 20
"""With fewer training steps there is no warning that a network did not learn."""
LEAST_FALL = 0.999
"""A loss that ends above this share of its first value has not fallen."""


@dataclass
class Job:
    """A detector in training: its checked table and its members."""

    detector: StackDetector
    table: Table
    members: list[Any] = field(default_factory=list)
    """What `_objective` needs of each member of this detector."""
    plans: list[MemberPlan] = field(default_factory=list)
    steps: int = 0
    """Number of steps. In a stack, jobs are sorted by it, the longest first."""
    key: Hashable = None
    """Jobs with equal keys can be trained as one stack."""


class StackDetector(Detector):
    """Base of detectors whose networks are members of a stack."""

    capabilities = frozenset({Capability.STACK})
    batch_size: int
    device: str
    patience: int | None
    random_state: RandomState
    verbose: bool
    optimizer: ClassVar[type[StackOptimizer]] = StackAdam
    loss_falls: ClassVar[bool] = True
    """Whether a loss that does not fall shows that nothing was learned."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn what is normal from the rows of `X`. `y` is ignored."""
        fit_many([self], [X])
        return self

    def _begin(self, X: Any) -> tuple[Table, torch.device]:
        """Check parameters and table, forget an earlier fit, and set the seed."""
        self._check_parameters()
        self._forget()
        table = self._check(X, reset=True)
        device = resolve_device(self.device)
        self.seed_ = draw_seed(self.random_state)
        return table, device

    def _job(self, X: Any, shared: dict[Hashable, Any]) -> Job:
        """Check parameters and table, and prepare the members for training.

        `shared` keeps what several detectors of one table can share.
        """
        raise NotImplementedError

    @staticmethod
    def _objective(members: list[Any]) -> Objective:
        """The objective of members of several jobs with equal keys."""
        raise NotImplementedError

    def _adopt(self, job: Job, results: list[MemberResult]) -> None:
        """Store the trained networks."""
        raise NotImplementedError

    def _finish(self, job: Job, results: list[MemberResult]) -> None:
        """Become fitted, and warn if training went wrong."""
        self._adopt(job, results)
        longest = max(len(result.losses) for result in results)
        by_member = [result.losses for result in results]
        self.history_ = {
            "loss": [
                float(np.mean([losses[epoch] for losses in by_member if epoch < len(losses)]))
                for epoch in range(longest)
            ],
            "member_loss": by_member,
        }
        scores = self._anomaly_score(job.table)
        self._set_offset(scores)
        self._warn_of_training(results, scores)

    def _warn_of_training(
        self, results: list[MemberResult], scores: Float[np.ndarray, " n"]
    ) -> None:
        """Warn if training was interrupted, learned nothing, or gives constant scores."""
        name = type(self).__name__
        if any(result.interrupted for result in results):
            done = max(result.steps for result in results)
            warn(f"{name} was interrupted after {done} steps; the model so far is kept")
            return
        for result in results if self.loss_falls else ():
            if result.steps >= LEAST_STEPS and result.ended > LEAST_FALL * result.began > 1e-6:
                warn(
                    f"{name} did not learn: its loss went from {result.began:.4g} to "
                    f"{result.ended:.4g} in {result.steps} steps; try another scaling or "
                    "learning rate, and do not trust its scores"
                )
                return
        self._warn_of_constant(scores)


def fit_many(
    detectors: Sequence[AnyDetector],
    tables: Sequence[Any],
    *,
    callbacks: Sequence[Callback] = (),
) -> list[AnyDetector]:
    """Fit every detector on its table; those that can be stacked train together.

    The results equal those of separate fits: on a CPU to the bit, on a GPU except for rounding
    (products sum in another order in a larger stack, and training amplifies the difference). This
    is much faster, above all on a GPU. Detectors may differ in data, seed and most parameters. All
    tables are checked before training starts. Returns the detectors.
    """
    if len(detectors) != len(tables):
        raise ConfigError(f"{len(detectors)=} but {len(tables)=}: use one table for each detector")
    from slad.detectors.registry import require  # the registry imports this module

    for detector in detectors:
        require(Capability.STACK, detector, otherwise="call its fit")
    if len({id(detector) for detector in detectors}) < len(detectors):
        raise ConfigError("one detector is given twice: use a separate detector for each table")
    shared: dict[Hashable, Any] = {}
    stackable = cast("Sequence[StackDetector]", detectors)
    jobs = [detector._job(X, shared) for detector, X in zip(stackable, tables, strict=True)]
    stacks: dict[Hashable, list[Job]] = defaultdict(list)
    for job in jobs:
        stacks[job.key].append(job)
    interrupt = Interrupt()  # shared, so that Ctrl-C also stops the stacks that follow
    for stack in stacks.values():
        fit_stack(stack, [interrupt, *callbacks])
    return list(detectors)


def fit_stack(jobs: list[Job], callbacks: Sequence[Callback], stream: Stream | None = None) -> None:
    """Train jobs with equal keys together, and let their detectors store the networks."""
    order = sorted(
        ((job, number) for job in jobs for number in range(len(job.members))),
        key=lambda member: -member[0].steps,
    )
    first = jobs[0].detector
    objective = first._objective([job.members[number] for job, number in order])
    standard: list[Callback] = []
    if first.patience is not None:
        standard.append(EarlyStop(first.patience))
    if any(job.detector.verbose for job in jobs):
        standard.append(Progress())
    trained = train(
        objective,
        [job.plans[number] for job, number in order],
        batch_size=first.batch_size,
        callbacks=[*standard, *callbacks],
        optimizer=first.optimizer,
        stream=stream,
    )
    results = {
        (id(job), number): result for (job, number), result in zip(order, trained, strict=True)
    }
    for job in jobs:
        mine = [results[id(job), number] for number in range(len(job.members))]
        job.detector._finish(job, mine)
