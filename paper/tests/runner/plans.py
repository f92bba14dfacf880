"""Small plans the tests of the runner share, over datasets that need no file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from slad_paper.runner.packing import recorded
from slad_paper.runner.plan import Contender, Run, runs_of

SMALL_SLAD = Contender(
    "slad-subspaces",
    {"n_groups": 3, "group_size": 4, "representation_dim": 8, "hidden_dim": 8, "epochs": 2},
)
CONTENDERS = (SMALL_SLAD, Contender("iforest", {"n_estimators": 10}), Contender("knn-1"))
DATASETS = ("wine", "planted-point", "planted-local")


def plan(seeds: int = 2, contenders=CONTENDERS, datasets=DATASETS) -> list[Run]:
    return runs_of("toy", contenders, datasets, [(s, s) for s in range(seeds)], max_rows=200)


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """Every record by the path under the folder that its own file has or had."""
    return {str(path.relative_to(folder)): record for path, record in recorded(folder).items()}


def results(folder: Path) -> dict[str, Any]:
    """What must not depend on when and how often the runner was started."""
    return {name: (record["status"], record["metrics"]) for name, record in read(folder).items()}
