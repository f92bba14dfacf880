"""A table model as JSON values and arrays, and back. Nothing that is read is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from slad.core import former
from slad.core.errors import ArtifactError
from slad.core.state import State, joined, parted
from slad.core.version import __version__
from slad.decisions import Calibration
from slad.model.member import Member
from slad.tables import ColumnPlan
from slad.tables.kinds import usual_from_state

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector

MODEL = "TableDetector"
Plain = tuple[dict[str, Any], dict[str, np.ndarray]]


def to_plain(model: TableDetector) -> Plain:
    """All that judging and explaining need; the training rows but for a few normal ones are not."""
    parameters = model.get_params(deep=False) | {"random_state": model.seed_}
    parameters["parameters"] = dict(model.parameters or {})
    for name in ("drop", "keep", "categories"):
        parameters[name] = list(parameters[name])
    values, calibration = model.calibration_.state()
    members = [member.state() for member in model.members_]
    arrays = joined(
        {"calibration": calibration}
        | {str(number): stored for number, (_, stored) in enumerate(members)}
    )
    arrays["normal"] = to_bytes(model.normal_)
    description = {
        "model": MODEL,
        "slad_version": __version__,
        "parameters": parameters,
        "plan": [column.state().values for column in model.plan_],
        "calibration": values,
        "members": [plain for plain, _ in members],
        "usual": {name: usual.state().values for name, usual in model.usuals_.items()},
        "profile": model.profile_,
        "notes": list(model.notes_),
        "training": model.training_,
    }
    return description, arrays


def from_plain(
    cls: type[TableDetector],
    description: dict[str, Any],
    arrays: dict[str, np.ndarray],
    where: str,
    device: str | None,
) -> TableDetector:
    if description.get("model") != MODEL:
        raise ArtifactError(
            f"{where} holds a detector of numeric arrays ({description.get('detector')}), not a "
            "model of tables: load it with slad.load"
        )
    try:
        return _restored(cls, description, arrays, where, device)
    except ArtifactError as error:
        if where in str(error):
            raise
        raise ArtifactError(f"{where}: {error}: fit again") from error
    except (KeyError, TypeError, ValueError, IndexError, RuntimeError, pa.ArrowException) as error:
        raise ArtifactError(
            f"{where} was written by slad {description.get('slad_version')} and does not fit this "
            f"version ({type(error).__name__}: {error}): fit again"
        ) from error


def _restored(
    cls: type[TableDetector],
    description: dict[str, Any],
    arrays: dict[str, np.ndarray],
    where: str,
    device: str | None,
) -> TableDetector:
    parts = parted(arrays)
    overrides = {} if device is None else {"device": device}
    parameters = description["parameters"]
    named = former.label(parameters["detector"], description.get("slad_version"))
    model = cls(**(parameters | {"detector": named} | overrides))
    model.seed_ = description["parameters"]["random_state"]
    model.plan_ = tuple(ColumnPlan.from_state(State(each, {})) for each in description["plan"])
    model.calibration_ = Calibration.from_state(
        State(description["calibration"], parts["calibration"])
    )
    model.members_ = [
        Member.from_state(values, parts[str(number)], where, device)
        for number, values in enumerate(description["members"])
    ]
    model.usuals_ = {
        name: usual_from_state(State(values, {})) for name, values in description["usual"].items()
    }
    model.profile_ = description["profile"]
    model.notes_ = description["notes"]
    model.training_ = description["training"]
    model.normal_ = from_bytes(arrays["normal"])
    model.own_ = None
    return model


def to_bytes(frame: pa.Table) -> np.ndarray:
    """A small table in Arrow's own format: numbers and text, no code."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, frame.schema) as writer:
        writer.write_table(frame)
    return np.frombuffer(sink.getvalue(), dtype=np.uint8)


def from_bytes(stored: np.ndarray) -> pa.Table:
    return pa.ipc.open_stream(pa.py_buffer(stored.tobytes())).read_all()
