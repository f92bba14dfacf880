"""What the parameters of a table model ask for, checked before any training."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import Capability, Detector, make, names_with

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector


def make_detector(model: TableDetector, number: int) -> Detector:
    """The detector of a fold, as the model asks for it."""
    settings = {"device": model.device, "verbose": model.verbose}
    return detector_of_fold(model.detector, model.seed_, number, settings, model.parameters)


def detector_of_fold(
    name: str,
    seed: int,
    number: int,
    settings: Mapping[str, Any],
    parameters: Mapping[str, Any] | None = None,
) -> Detector:
    """A detector with a seed of its own, those of the settings that it has, and the parameters."""
    own = {"random_state": Streams(seed, number).key("detector") % 2**31, **settings}
    known = make(name).get_params(deep=False)
    fitting = {key: value for key, value in own.items() if key in known}
    return make(name, **fitting | dict(parameters or {}))


def not_learned(model: TableDetector, frame: pa.Table) -> list[str]:
    """Columns that are left out as asked: those to drop, the id, the label."""
    for role, name in (("id", model.id), ("label", model.label)):
        if name is not None and name not in frame.column_names:
            raise ConfigError(
                f"there is no {role} column {name!r}; the columns are: "
                f"{', '.join(frame.column_names)}"
            )
    return [*model.drop, *(name for name in (model.id, model.label) if name is not None)]


def check_reject(model: TableDetector, detector: Detector, judges: int) -> None:
    """Setting rows aside takes an error, and that at least two opinions of a row."""
    one_part = Capability.SCORE_PARTS not in detector.capabilities
    if model.reject is not None and one_part and judges == 1:
        raise ConfigError(
            f"reject={model.reject:g}: a row gets one score of {model.detector}, and nothing to "
            f"tell its error from; take one of {', '.join(names_with(Capability.SCORE_PARTS))}, or "
            "judge other rows by calibration='cross'"
        )
