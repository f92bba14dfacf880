"""A member of a table model: an encoder and a detector that have seen the same training rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np
import pyarrow as pa

from slad.core.state import State, joined, parted
from slad.decisions import Fold, PartStandard
from slad.detectors import Detector, class_of, fit_many
from slad.detectors.stacking import StackDetector
from slad.tables import ColumnPlan, Encoder

ROWS_AT_ONCE = 50_000
"""Rows encoded and scored at a time: what a table of any length needs of memory."""


@dataclass
class Member:
    """Fitted on the training rows of one fold; `standard` knows how it scored the others."""

    encoder: Encoder
    detector: Detector
    standard: PartStandard = field(init=False)

    def parts(self, frame: pa.Table) -> np.ndarray:
        """What the detector's score of each row is the mean of."""
        return np.concatenate([self.detector.score_parts(X) for X in self._encoded(frame)])

    def _encoded(self, frame: pa.Table) -> Iterator[np.ndarray]:
        for start in range(0, max(frame.num_rows, 1), ROWS_AT_ONCE):
            yield self.encoder.transform(frame.slice(start, ROWS_AT_ONCE))

    def state(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        parts = {
            "encoder": self.encoder.state(),
            "detector": self.detector.state(),
            "standard": self.standard.state(),
        }
        values = {name: plain for name, (plain, _) in parts.items()}
        return values, joined({name: arrays for name, (_, arrays) in parts.items()})

    @classmethod
    def from_state(
        cls, values: dict[str, Any], arrays: dict[str, np.ndarray], where: str, device: str | None
    ) -> Member:
        stored = parted(arrays)
        found = class_of(values["detector"], where)
        elsewhere = device is not None and "device" in signature(found).parameters
        overrides = {"device": device} if elsewhere else {}
        member = cls(
            Encoder.from_state(State(values["encoder"], stored.get("encoder", {}))),
            found.from_state(
                State(values["detector"], stored.get("detector", {})), where=where, **overrides
            ),
        )
        member.standard = PartStandard.from_state(State(values["standard"], stored["standard"]))
        return member


def fit_members(
    frame: pa.Table,
    plan: Sequence[ColumnPlan],
    folds: Sequence[Fold],
    detectors: Sequence[Detector],
) -> list[Member]:
    """One member a fold, fitted on its training rows and nothing else."""
    members, tables = [], []
    for fold, detector in zip(folds, detectors, strict=True):
        rows = frame.take(fold.train)
        encoder = Encoder.fit(rows, plan)
        members.append(Member(encoder, detector))
        tables.append(encoder.transform(rows))
    fit_detectors(detectors, tables)
    return members


def fit_detectors(detectors: Sequence[Detector], tables: Sequence[Any]) -> None:
    """Each on its table; those with networks as one stack."""
    stacks = [detector for detector in detectors if isinstance(detector, StackDetector)]
    if len(stacks) == len(detectors):
        fit_many(stacks, tables)
    else:
        for detector, table in zip(detectors, tables, strict=True):
            detector.fit(table)
