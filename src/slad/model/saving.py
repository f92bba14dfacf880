"""A table model as a state, and back. Nothing that is read is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from slad.core import former
from slad.core.errors import ArtifactError
from slad.core.state import State, joined, parted
from slad.core.version import __version__
from slad.decisions import Calibration
from slad.model.fold_model import FoldModel
from slad.tables import ColumnPlan
from slad.tables.kinds import usual_from_state

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector

MODEL = "TableDetector"


def state_of(model: TableDetector) -> State:
    """What judging and explaining need: of the training rows only a few normal ones."""
    parameters = model.get_params(deep=False) | {"random_state": model.seed_}
    parameters["parameters"] = dict(model.parameters or {})
    for name in ("drop", "keep", "categories"):
        parameters[name] = list(parameters[name])
    calibration = model.calibration_.state()
    fold_models = [each.state() for each in model.fold_models_]
    arrays = joined(
        {"calibration": calibration[1]}
        | {str(number): each.arrays for number, each in enumerate(fold_models)}
    )
    arrays["normal"] = to_bytes(model.normal_)
    values = {
        "model": MODEL,
        "slad_version": __version__,
        "parameters": parameters,
        "plan": [column.state().values for column in model.plan_],
        "calibration": calibration[0],
        "members": [each.values for each in fold_models],
        "usual": {name: usual.state().values for name, usual in model.usuals_.items()},
        "profile": model.profile_,
        "notes": list(model.notes_),
        "training": model.training_,
    }
    return State(values, arrays)


def restored(cls: type[TableDetector], state: State) -> TableDetector:
    """The model of a state. ArtifactError if it is no state of a table model, or not whole."""
    if state.values.get("model") != MODEL:
        raise ArtifactError(
            f"this is a detector of numeric arrays ({state.values.get('detector')}), not a "
            "model of tables; load it with slad.load"
        )
    version = state.values.get("slad_version")
    try:
        return _restored(cls, state, version)
    except ArtifactError as error:
        raise ArtifactError(f"{str(error).removesuffix(': fit again')}; fit again") from error
    except (KeyError, TypeError, ValueError, IndexError, RuntimeError, pa.ArrowException) as error:
        raise ArtifactError(
            f"the model was written by slad {version} and does not fit this version "
            f"({type(error).__name__}: {error}); fit again"
        ) from error


def _restored(cls: type[TableDetector], state: State, version: str | None) -> TableDetector:
    values, parts = state.values, parted(state.arrays)
    parameters = values["parameters"]
    model = cls(**parameters | {"detector": former.label(parameters["detector"], version)})
    model.seed_ = parameters["random_state"]
    model.plan_ = tuple(ColumnPlan.from_state(State(each, {})) for each in values["plan"])
    model.calibration_ = Calibration.from_state(State(values["calibration"], parts["calibration"]))
    model.fold_models_ = [
        FoldModel.from_state(State(each, parts[str(number)]))
        for number, each in enumerate(values["members"])
    ]
    model.usuals_ = {
        name: usual_from_state(State(each, {})) for name, each in values["usual"].items()
    }
    model.profile_, model.notes_ = values["profile"], values["notes"]
    model.training_ = values["training"]
    model.normal_ = from_bytes(state.arrays["normal"])
    model.own_ = None
    return model


def on_device(state: State, device: str | None) -> State:
    """The state of the same model on another device; None leaves the device as it is."""
    if device is None or "members" not in state.values:
        return state
    values: dict[str, Any] = dict(state.values)
    values["parameters"] = values["parameters"] | {"device": device}
    values["members"] = [
        each | {"detector": _detector_on(each["detector"], device)} for each in values["members"]
    ]
    return State(values, state.arrays)


def _detector_on(detector: dict[str, Any], device: str) -> dict[str, Any]:
    """A detector's description; a detector without networks has no device."""
    parameters = detector["parameters"]
    if "device" not in parameters:
        return detector
    return detector | {"parameters": parameters | {"device": device}}


def to_bytes(frame: pa.Table) -> np.ndarray:
    """A small table in Arrow's own format: numbers and text, no code."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, frame.schema) as writer:
        writer.write_table(frame)
    return np.frombuffer(sink.getvalue(), dtype=np.uint8)


def from_bytes(stored: np.ndarray) -> pa.Table:
    """The table of `to_bytes`."""
    return pa.ipc.open_stream(pa.py_buffer(stored.tobytes())).read_all()
