"""Facts about a run and a model, as findings and manifests hold them."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from slad.core.version import __version__
from slad.model.json_form import to_json

if TYPE_CHECKING:
    from slad.model.table_detector import TableDetector

FORMAT = 1
LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch", "safetensors", "pyarrow")


@dataclass(frozen=True)
class RunFacts:
    """What was run, when, and with which versions."""

    format: int
    created: str
    slad: str
    versions: dict[str, str]
    command: str
    seconds: dict[str, float]
    """Step of the run: how long it took."""


@dataclass(frozen=True)
class DetectorFacts:
    """The detector's name and the parameters that were given."""

    name: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class CalibrationFacts:
    """The held-out rows that p-values count."""

    kind: str
    folds: int
    rows: int
    clean: bool
    """Whether all of them are known to be normal."""


@dataclass(frozen=True)
class RuleFacts:
    """The rule that decides, and what it guarantees."""

    kind: str
    value: float
    sentence: str


@dataclass(frozen=True)
class ModelFacts:
    """What was fitted, how it was calibrated, and what it guarantees."""

    seed: int
    detector: DetectorFacts
    calibration: CalibrationFacts
    rule: RuleFacts


def facts_of_run(command: str, seconds: Mapping[str, float]) -> RunFacts:
    """The facts of a run that ends now."""
    return RunFacts(
        format=FORMAT,
        created=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        slad=__version__,
        versions={"python": platform.python_version()} | _versions(),
        command=command,
        seconds={step: round(each, 3) for step, each in seconds.items()},
    )


def facts_of_model(model: TableDetector) -> ModelFacts:
    """The facts of a fitted model."""
    from slad.detectors import resolved

    rule, calibration = model.make_rule(), model.calibration_
    return ModelFacts(
        seed=model.seed_,
        detector=DetectorFacts(resolved(model.detector), dict(model.parameters or {})),
        calibration=CalibrationFacts(
            calibration.kind, calibration.folds, len(calibration), calibration.clean
        ),
        rule=RuleFacts(rule.kind, rule.value, rule.sentence(calibration)),
    )


def model_facts(model: TableDetector) -> dict[str, Any]:
    """The facts of a fitted model as JSON values."""
    facts: dict[str, Any] = to_json(facts_of_model(model))
    return facts


def run_facts(command: str, seconds: Mapping[str, float]) -> dict[str, Any]:
    """The facts of a run that ends now as JSON values."""
    facts: dict[str, Any] = to_json(facts_of_run(command, seconds))
    return facts


def _versions() -> dict[str, str]:
    found = {}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:  # vendored, or put on the path by hand
            continue
    return found
