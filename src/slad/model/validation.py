"""Checks of a table model's parameters, and its detectors, before any training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import Capability, Detector, make, names_with, parameter_names
from slad.tables import ColumnPlan
from slad.tables.kinds import KINDS

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector


def make_detector(model: TableDetector, fold: int) -> Detector:
    """The unfitted detector of a fold."""
    settings = {"device": model.device, "verbose": model.verbose, "clean": model.clean}
    return detector_of_fold(model.detector, model.seed_, fold, settings, model.parameters)


def detector_of_fold(
    name: str,
    seed: int,
    fold: int,
    settings: Mapping[str, Any],
    parameters: Mapping[str, Any] | None = None,
) -> Detector:
    """A detector with a seed of its own, the parameters, and those settings that it has."""
    own = {"random_state": Streams(seed, fold).key("detector") % 2**31, **settings}
    known = parameter_names(name)
    supported = {key: value for key, value in own.items() if key in known}
    return make(name, **supported | dict(parameters or {}))


def tell_columns(
    model: TableDetector,
    plan: Sequence[ColumnPlan],
    frame: pa.Table,
    detectors: Sequence[Detector],
) -> None:
    """Tell detectors that can seek wrong cells whether the table is more than numbers.

    Where there are words, dates or gaps, most of what is strange was typed or copied wrongly.
    """
    if "seeks" in parameter_names(model.detector) and "seeks" not in (model.parameters or {}):
        mixed = any(
            each.used and (not KINDS[each.kind].is_numeric or _has_gaps(frame[each.name]))
            for each in plan
        )
        for detector in detectors:
            detector.set_params(seeks="cells" if mixed else "rows")


def _has_gaps(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.is_null(column, nan_is_null=True)).as_py())


def columns_left_out(model: TableDetector, frame: pa.Table) -> list[str]:
    """The columns that the model's parameters exclude: those to drop, the id, the label."""
    for role, name in (("id", model.id), ("label", model.label)):
        if name is not None and name not in frame.column_names:
            raise ConfigError(
                f"the table has no {role} column {name!r}; its columns are: "
                f"{', '.join(frame.column_names)}"
            )
    return [*model.drop, *(name for name in (model.id, model.label) if name is not None)]


def check_reject(model: TableDetector, detector: Detector, scores_per_row: int) -> None:
    """Raise ConfigError if `reject` is set but no score has an error.

    The error comes from at least two scores of a row: score parts, or fold models.
    """
    one_part = Capability.SCORE_PARTS not in detector.capabilities
    if model.reject is not None and one_part and scores_per_row == 1:
        raise ConfigError(
            f"reject={model.reject:g} needs the error of each score, and {model.detector} gives a "
            f"row one score only; use one of {', '.join(names_with(Capability.SCORE_PARTS))}, or "
            "score other rows with calibration='cross'"
        )
