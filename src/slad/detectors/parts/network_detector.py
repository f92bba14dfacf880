"""The base class of detectors whose networks train on rows."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import torch
from sklearn.utils.validation import check_is_fitted
from torch import Tensor
from torch.nn.functional import pad

from slad.core.devices import available_memory, resolve_device
from slad.core.errors import ResourceError
from slad.core.seeds import RandomState, Streams
from slad.core.state import State
from slad.core.typing import Float, Int, Table, is_sparse
from slad.detectors.base import Capability
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.scaling import SCALINGS, Scaler
from slad.detectors.stacking import Job, StackDetector
from slad.learning import MemberPlan, MemberResult, Method, RowsObjective, RowsTask, Tensors
from slad.learning.parameters import ParameterStack, split

BLOCK_CELLS = {"cpu": 2**20, "cuda": 2**28}
"""Numbers held at a time in scoring: on a CPU, about the size of its caches."""
LARGEST_BLOCK = {"cpu": 512, "cuda": 8192}
DENSE_SHARE = 4
"""A sparse table is made dense for training if it takes at most free memory divided by this."""


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkDetector(StackDetector):
    """A detector that is defined by its method, a `slad.learning.Method`.

    Parameters
    ----------
    epochs : int, default=50
        The SLAD paper takes 10 to 100 for all deep detectors, by dataset; here one number.
    batch_size : int, default=128
    learning_rate : float, default=1e-3
        Both as in the SLAD paper's implementation section, for all deep detectors.
    weight_decay : float, default=1e-5
        Adam's L2 term, as in the code that the SLAD paper's rivals ran with (DeepOD).
    scaling : {"minmax", "standard", "signed_log", "robust", "none"}, default="minmax"
        Input scaling, fitted on the training rows; min-max is that of SLAD's released code.
    n_members : int, default=1
        Networks with seeds of their own, whose scores are averaged.
    patience : int or None, default=None
        Stop when the loss has not fallen by 0.1 % for so many epochs.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.
    device : str, default="auto"
        "auto" takes a GPU where there is one.
    random_state : int, numpy generator or None, default=None
        Same seed, device and number of threads: same scores. The global generators are not used.
    verbose : bool, default=False
        Show progress on stderr.
    """

    capabilities = StackDetector.capabilities | {Capability.SCORE_PARTS}
    epochs: int = 50
    batch_size: int = 128
    learning_rate: float = 1e-3
    weight_decay: float = 1e-5
    scaling: str = "minmax"
    n_members: int | str = 1
    patience: int | None = None
    contamination: float | str = "auto"
    device: str = "auto"
    random_state: RandomState = None
    verbose: bool = False

    # -- to be written by each detector --------------------------------------------------------

    def _method(self, n_rows: int, n_features: int) -> Method:
        """The method with these parameters, for a table of this shape."""
        raise NotImplementedError

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "scaling", SCALINGS)
        for name in ("epochs", "batch_size"):
            check_number(self, name, 1)
        self._check_members()
        check_number(self, "patience", 1, optional=True)
        for name in ("learning_rate", "weight_decay"):
            check_number(self, name, 0, whole=False)

    def _check_members(self) -> None:
        check_number(self, "n_members", 1)

    def _member_count(self, n_rows: int, n_features: int) -> int:
        return int(self.n_members)

    # -- training ------------------------------------------------------------------------------

    def _job(self, X: Any, shared: dict[Hashable, Any]) -> Job:
        table, device = self._begin(X)
        method = self._method(*table.shape)
        count = self._member_count(*table.shape)
        self._check_memory(method, count, device)
        key = (id(X), self.scaling, device)
        if key not in shared:
            scaler = Scaler.fit(self.scaling, table)
            shared[key] = scaler, TableRows(table, scaler, device)
        self._scaler, rows = shared[key]
        job = Job(self, table)
        streams = [Streams(self.seed_, number) for number in range(count)]
        flat = torch.stack([method.flat(stream) for stream in streams]).to(device)
        fixed = [method.fixed(stream, device) for stream in streams]
        with torch.inference_mode(False), torch.no_grad():
            learned = method.prepare(split(flat, method.shapes), _stacked(fixed), rows)
        for number, stream in enumerate(streams):
            mine = {name: part[number] for name, part in learned.items()}
            task = RowsTask(
                rows=rows,
                fixed=fixed[number],
                constants=fixed[number] | mine,
                generator=stream.torch("draws", device),
                epochs=self.epochs,
            )
            job.members.append(_Member(method, task, flat[number], self.batch_size))
            job.plans.append(
                MemberPlan(
                    self.epochs,
                    self.learning_rate,
                    self.weight_decay,
                    stream.torch("batches", device),
                )
            )
        job.steps = self.epochs * -(-table.shape[0] // self.batch_size)
        job.key = (type(self), method, self.batch_size, self.patience, device)
        return job

    @staticmethod
    def _objective(members: list[_Member]) -> RowsObjective:
        first = members[0]
        stack = torch.stack([member.initial for member in members])
        return RowsObjective(
            first.method,
            [member.task for member in members],
            ParameterStack(first.method.shapes, stack),
            batch_size=first.batch_size,
        )

    def _adopt(self, job: Job, results: list[MemberResult]) -> None:
        members: list[_Member] = job.members
        method, rows = members[0].method, members[0].task.rows
        flat = torch.stack([result.weights for result in results])
        constants = _stacked([member.task.constants for member in members])
        with torch.no_grad():
            learned = method.finish(split(flat, method.shapes), constants, rows)
        fixed = members[0].task.fixed
        kept = (constants.keys() - fixed.keys()) | learned.keys()
        if (size := sum(map(prod, method.scoring_shapes.values()))) < flat.shape[1]:
            flat = flat[:, :size].clone()
        self._scorer = NetworkScorer(method, flat, constants | learned, kept, len(rows))

    def _check_memory(self, method: Method, count: int, device: torch.device) -> None:
        """Refuse work that does not fit into memory, before it starts."""
        # Values, gradients and moments; the initial and the trained weights.
        weights = (4 + self.optimizer.moments) * method.n_weights
        rows = 2 * self.batch_size * method.cells_per_row
        cells = count * (weights + rows + method.ready_cells)
        needed, free = 4 * cells, available_memory(device)
        if needed > free:
            raise ResourceError(
                f"{type(self).__name__} needs about {needed / 1e9:.0f} GB for "
                f"{method.n_features:,} features ({method.n_weights:,} weights a network), and "
                f"{free / 1e9:.0f} GB are free on {device}: use fewer features, smaller layers "
                "or batches, or another detector"
            )

    # -- scoring -------------------------------------------------------------------------------

    def score_parts(self, X: Any) -> Float[np.ndarray, "n members"]:
        """The score by each ensemble member; their mean is the anomaly score."""
        check_is_fitted(self)
        return self._member_scores(self._check(X, reset=False))

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        scores: np.ndarray = self._member_scores(X).mean(axis=1)
        return scores

    def _member_scores(self, X: Table) -> Float[np.ndarray, "n members"]:
        scorer = self._scorer
        size = scorer.block * max(1, BLOCK_CELLS["cpu"] // (scorer.block * X.shape[1]))
        parts = []
        with torch.inference_mode():
            for start in range(0, X.shape[0], size):
                chunk = X[start : start + size]
                rows = self._scaler.cells(chunk, scorer.device)
                parts.append(scorer.scores(rows).T.double().cpu().numpy())
        return np.concatenate(parts)

    # -- saved models --------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        scorer = self._scorer
        arrays = {
            "scaler.center": self._scaler.center,
            "scaler.scale": self._scaler.scale,
            "weights": scorer.flat.cpu().numpy(),
        }
        for name in sorted(scorer.learned):
            arrays[f"learned.{name}"] = scorer.constants[name].contiguous().cpu().numpy()
        values = {"seed": self.seed_, "history": self.history_, "n_rows": scorer.n_rows}
        return State(values | {"learned": sorted(scorer.learned)}, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        device = resolve_device(self.device)
        self.seed_, self.history_ = values["seed"], values["history"]
        self._scaler = Scaler(self.scaling, arrays["scaler.center"], arrays["scaler.scale"])
        method = self._method(values["n_rows"], self.n_features_in_)
        flat = torch.from_numpy(arrays["weights"]).to(device)
        fixed = [method.fixed(Streams(self.seed_, number), device) for number in range(len(flat))]
        learned = {
            name: torch.from_numpy(arrays[f"learned.{name}"]).to(device)
            for name in values["learned"]
        }
        self._scorer = NetworkScorer(
            method, flat, _stacked(fixed) | learned, set(learned), values["n_rows"]
        )


@dataclass
class _Member:
    method: Method
    task: RowsTask
    initial: Float[Tensor, " size"]
    batch_size: int


@dataclass
class NetworkScorer:
    """Trained ensemble members, ready to score rows."""

    method: Method
    flat: Float[Tensor, "m size"]
    constants: Tensors
    learned: set[str]
    """Names of the constants that are saved."""
    n_rows: int
    """Number of training rows, which determines the shape of some methods."""

    def __post_init__(self) -> None:
        self.weights = split(self.flat, self.method.scoring_shapes)
        with torch.no_grad():
            self.inputs = self.constants | self.method.ready(self.weights, self.constants)
        self.device = self.flat.device
        kind = self.device.type
        room = BLOCK_CELLS[kind] // max(1, self.method.cells_per_row * len(self.flat))
        self.block = min(LARGEST_BLOCK[kind], 1 << max(3, room.bit_length() - 1))

    def scores(self, rows: Float[Tensor, "n d"]) -> Float[Tensor, "m n"]:
        """Scores in blocks of one size, so that a score does not depend on the other rows."""
        parts = [
            self.method.scores(
                self.weights, self.inputs, pad(block, (0, 0, 0, self.block - len(block)))
            )
            for block in rows.split(self.block)
        ]
        return torch.cat(parts, 1)[:, : len(rows)]


class TableRows:
    """The rows of a table for training, scaled; all of them on the device if they fit."""

    def __init__(self, table: Table, scaler: Scaler, device: torch.device) -> None:
        self.table, self.scaler, self.device = table, scaler, device
        size = table.shape[0] * table.shape[1] * 4
        room = available_memory(device) // DENSE_SHARE
        fits = size <= room if is_sparse(table) or device.type != "cpu" else True
        self.values = scaler.cells(table, device) if fits else None

    def __len__(self) -> int:
        return int(self.table.shape[0])

    def take(self, rows: Int[Tensor, " k"]) -> Float[Tensor, "k d"]:
        if self.values is not None:
            return self.values.index_select(0, rows)
        return self.scaler.cells(self.table[rows.cpu().numpy()], self.device)

    def blocks(self, size: int) -> Iterator[Float[Tensor, "b d"]]:
        for start in range(0, len(self), size):
            stop = min(start + size, len(self))
            yield self.take(torch.arange(start, stop, device=self.device))


def _stacked(members: list[Tensors]) -> Tensors:
    return {name: torch.stack([member[name] for member in members]) for name in members[0]}
