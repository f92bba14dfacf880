"""Fold models: an encoder and a detector fitted on the same training rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import pyarrow as pa

from slad.core.progress import Progress
from slad.core.state import State, joined, parted
from slad.decisions import Fold, PartStandard
from slad.detectors import Capability, Detector, class_of
from slad.tables import ColumnPlan, Encoder

ROWS_AT_ONCE = 20_000
"""Rows encoded and scored at a time, so that memory does not grow with the table."""


@dataclass
class FoldModel:
    """Encoder and detector, fitted on the training rows of one fold."""

    encoder: Encoder
    detector: Detector
    standard: PartStandard = field(init=False)
    """Level and unit of its scores, from the fold's held-out rows."""

    @property
    def blocks(self) -> list[tuple[int, int]]:
        """First and last (exclusive) encoded feature of every column."""
        return [(column.start, column.stop) for column in self.encoder.columns]

    def score_parts(self, frame: pa.Table, progress: Progress | None = None) -> np.ndarray:
        """The detector's score parts of every row."""
        parts = []
        for X in self._encoded(frame):
            parts.append(self.detector.score_parts(X))
            if progress is not None:
                progress.advance(len(X))
        return np.concatenate(parts)

    def standard_scores(self, encoded: np.ndarray) -> np.ndarray:
        """The standardised scores of encoded rows."""
        return self.standard.apply(self.detector.score_parts(encoded))

    def _encoded(self, frame: pa.Table) -> Iterator[np.ndarray]:
        for start in range(0, max(frame.num_rows, 1), ROWS_AT_ONCE):
            yield self.encoder.transform(frame.slice(start, ROWS_AT_ONCE))

    def state(self) -> State:
        """What `from_state` needs; the values are JSON."""
        parts = {
            "encoder": self.encoder.state(),
            "detector": self.detector.state(),
            "standard": self.standard.state(),
        }
        return State(
            {name: values for name, (values, _) in parts.items()},
            joined({name: arrays for name, (_, arrays) in parts.items()}),
        )

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The fold model of a state."""
        values, stored = state.values, parted(state.arrays)
        detector = class_of(values["detector"], "this state")
        restored = cls(
            Encoder.from_state(State(values["encoder"], stored.get("encoder", {}))),
            detector.from_state(State(values["detector"], stored.get("detector", {}))),
        )
        restored.standard = PartStandard.from_state(State(values["standard"], stored["standard"]))
        return restored


def fit_fold_models(
    frame: pa.Table,
    plan: Sequence[ColumnPlan],
    folds: Sequence[Fold],
    detectors: Sequence[Detector],
    *,
    verbose: bool = False,
) -> list[FoldModel]:
    """One fold model per fold, fitted on the fold's training rows only."""
    fold_models, tables = [], []
    for fold, detector in zip(folds, detectors, strict=True):
        rows = frame.take(fold.train)
        encoder = Encoder.fit(rows, plan)
        fold_models.append(FoldModel(encoder, detector))
        tables.append(encoder.transform(rows))
    fit_detectors(detectors, tables, verbose=verbose)
    return fold_models


def fit_detectors(
    detectors: Sequence[Detector], tables: Sequence[Any], *, verbose: bool = False
) -> None:
    """Fit each detector on its table; detectors with networks train as one stack."""
    if all(Capability.STACK in detector.capabilities for detector in detectors):
        from slad.detectors import fit_many  # here, because torch comes with it

        fit_many(detectors, tables)
    else:
        with Progress("fold models fitted", len(detectors), shown=verbose) as progress:
            for detector, table in zip(detectors, tables, strict=True):
                detector.fit(table)
                progress.advance(1)
