"""Made-up records of cases of studies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from slad_paper.pages.cases import CaseRecord

ENVIRONMENT = {"cpu_threads": 1, "gpu": "a made-up GPU"}


def case(
    experiment: str, name: str, settings: dict[str, Any], result: dict[str, Any], **more: Any
) -> CaseRecord:
    """A record of a case; `more` is said of its environment."""
    path = Path("results", experiment, f"{name}.json")
    return CaseRecord(path, experiment, name, settings, result, ENVIRONMENT | more)


def made_up_box(median: float, spread: float = 1.0) -> dict[str, Any]:
    """Quartiles `spread` apart, whiskers three times as far."""
    ends = (-1.5, -0.5, 0.0, 0.5, 1.5)
    return {"mean": median, "quantiles": [median + spread * end for end in ends]}
