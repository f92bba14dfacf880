"""What there is to say of a model and of a run, in plain values, for findings and manifests."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from slad.core.version import __version__
from slad.detectors import resolved

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector

FORMAT = 1
LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch", "safetensors", "pyarrow")


def model_facts(model: TableDetector) -> dict[str, Any]:
    """What was fitted, how it was calibrated, and what it promises."""
    rule, calibration = model.make_rule(), model.calibration_
    return {
        "seed": model.seed_,
        "detector": {"name": resolved(model.detector), "parameters": dict(model.parameters or {})},
        "calibration": {
            "kind": calibration.kind,
            "folds": calibration.folds,
            "rows": len(calibration),
            "clean": calibration.clean,
        },
        "rule": {
            "kind": rule.kind,
            "value": rule.value,
            "sentence": rule.sentence(calibration),
        },
    }


def run_facts(command: str, seconds: Mapping[str, float]) -> dict[str, Any]:
    """What was run, when, and with what."""
    return {
        "format": FORMAT,
        "created": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "slad": __version__,
        "versions": {"python": platform.python_version()} | _versions(),
        "command": command,
        "seconds": {step: round(each, 3) for step, each in seconds.items()},
    }


def _versions() -> dict[str, str]:
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:  # vendored, or put on the path by hand
            continue
    return found
