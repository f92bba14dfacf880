"""What `SLAD.fit` does: from parameters and a table to members of a stack, and back."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError
from slad.core.rows import Rows
from slad.core.seeds import RandomState, Streams
from slad.core.typing import Float, Table
from slad.detectors.parts.scaling import Scaler
from slad.detectors.parts.statistics import row_blocks
from slad.detectors.slad.labels import feature_weights, length_classes, scale_labels
from slad.detectors.slad.loss import LOSSES
from slad.detectors.slad.network import ScaleNetwork
from slad.detectors.slad.objective import ScaleObjective, ScaleTask, Task, draw_rows
from slad.detectors.slad.scoring import ScaleScorer
from slad.detectors.slad.subspaces import Subspaces, sample_subspaces, with_whole_rows
from slad.detectors.slad.transform import AffineMaps, make_maps
from slad.detectors.stacking import Job, StackDetector
from slad.learning import MemberPlan, MemberResult
from slad.learning.parameters import ParameterStack


@dataclass
class _Member:
    """A member in training."""

    task: Task
    network: ScaleNetwork
    initial: Float[Tensor, " size"]
    loss: str
    batch_size: int
    epochs: int
    device: torch.device


MakeTask = Callable[[Streams, AffineMaps, np.ndarray], Task]


class ScaleLearner(StackDetector):
    """Base of `SLAD` with the work of `fit`. The attributes are parameters of `SLAD`."""

    n_groups: int
    group_size: int
    representation_dim: int
    magnification: float
    weighting_threshold: int
    rescale_weights: bool
    length_pool: int | None
    replace_up_to: int
    maps: str
    loss: str
    scaling: str
    row_sampling: str
    hidden_dim: int
    bias: bool
    epochs: int
    learning_rate: float
    weight_decay: float
    n_members: int
    device: str
    random_state: RandomState

    def _job(self, X: Any, shared: dict[Hashable, Any]) -> Job:
        table, device = self._begin(X)
        key = (id(X), self.scaling, device, self.weighting_threshold, self.rescale_weights)
        if key not in shared:
            shared[key] = self._prepare(table, device)
        self._scaler, rows, self._weights = shared[key]
        return self._job_of(table, device, lambda *own: self._task(rows, *own))

    def _job_of(self, table: Table, device: torch.device, make_task: MakeTask) -> Job:
        """The job with all members, whose tasks are made from streams, maps and labels."""
        job = Job(self, table)
        for number in range(self.n_members):
            streams = Streams(self.seed_, number)
            job.members.append(self._member(streams, device, make_task))
            job.plans.append(
                MemberPlan(
                    self.epochs,
                    self.learning_rate,
                    self.weight_decay,
                    streams.torch("batches", device),
                )
            )
        batches = -(-job.members[0].task.n_samples // self.batch_size)
        job.steps = self.epochs * batches
        job.key = (
            type(self),
            job.members[0].network,
            self.group_size,
            self.loss,
            self.batch_size,
            self.patience,
            device,
        )
        return job

    def _prepare(self, table: Table, device: torch.device) -> tuple[Scaler, Rows, np.ndarray]:
        """The scaler of the table, its scaled rows on the device, and the feature weights."""
        scaler = Scaler.fit(self.scaling, table)
        weights = feature_weights(
            (scaler.dense(block) for _, block in row_blocks(table)),
            self.n_features_in_,
            threshold=self.weighting_threshold,
            rescale=self.rescale_weights,
        )
        return scaler, scaler.rows(table, device).on(device), weights

    def _subspaces(self, streams: Streams) -> Subspaces:
        """The subspaces of a member. Subclasses draw others for rows that are not of a table."""
        return sample_subspaces(
            self.n_features_in_,
            n_groups=self.n_groups,
            group_size=self.group_size,
            rng=streams.numpy("subspaces"),
            length_pool=self.length_pool,
            replace_up_to=self.replace_up_to,
        )

    def _task(
        self, rows: Rows, streams: Streams, maps: AffineMaps, labels: np.ndarray
    ) -> ScaleTask:
        """The task of rows that are all in memory."""
        per_group, draws = len(rows), None
        if self.row_sampling == "bootstrap":
            per_group, draws = draw_rows(len(rows), self.n_groups, streams)
            draws = draws.to(resolve_device(self.device))
        return ScaleTask(rows, maps, labels, per_group, draws)

    def _member(self, streams: Streams, device: torch.device, make_task: MakeTask) -> _Member:
        subspaces = self._subspaces(streams)
        if LOSSES[self.loss].whole_row:
            subspaces = with_whole_rows(subspaces)
        maps, labels = self._maps_and_labels(subspaces, streams)
        network = self._network(maps.width)
        return _Member(
            task=make_task(streams, maps, labels),
            network=network,
            initial=network.initial(streams),
            loss=self.loss,
            batch_size=self.batch_size,
            epochs=self.epochs,
            device=device,
        )

    def _maps_and_labels(
        self, subspaces: Subspaces, streams: Streams
    ) -> tuple[AffineMaps, Float[np.ndarray, "r c"]]:
        maps = make_maps(self.maps, subspaces, self.representation_dim, streams)
        if LOSSES[self.loss].of_lengths:
            classes = length_classes(subspaces)
            if classes.max() >= self._outputs:  # series do not draw from a pool
                raise ConfigError(
                    f"loss={self.loss!r} with length_pool={self.length_pool} cannot use subspaces "
                    f"of {int(classes.max()) + 1} lengths; use length_pool=None"
                )
            return maps, classes
        labels = scale_labels(
            subspaces,
            self._weights,
            representation_dim=self.representation_dim,
            magnification=self.magnification,
        )
        return maps, labels

    def _network(self, width: int) -> ScaleNetwork:
        return ScaleNetwork(width, self.hidden_dim, self.bias, self._outputs)

    @property
    def _outputs(self) -> int:
        """Outputs of the network for each subspace; the same for all seeds, which are stacked."""
        lengths = min(self.n_features_in_, self.length_pool or self.n_features_in_)
        return LOSSES[self.loss].outputs(min(lengths, self.n_groups * self.group_size))

    @property
    def _subspaces_a_group(self) -> int:
        return self.group_size + LOSSES[self.loss].whole_row

    @staticmethod
    def _objective(members: list[_Member]) -> ScaleObjective:
        first = members[0]
        stack = torch.stack([member.initial for member in members]).to(first.device)
        return ScaleObjective(
            [member.task for member in members],
            first.network,
            LOSSES[first.loss],
            ParameterStack(first.network.shapes, stack),
            batch_size=first.batch_size,
            keep=max(member.epochs for member in members) > 1,
        )

    def _adopt(self, job: Job, results: list[MemberResult]) -> None:
        self._scorers = [
            ScaleScorer(
                member.task.maps,
                member.network,
                LOSSES[self.loss],
                torch.from_numpy(member.task.labels),
                result.weights,
            )
            for member, result in zip(job.members, results, strict=True)
        ]
