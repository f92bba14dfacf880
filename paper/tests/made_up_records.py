"""Made-up records of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from slad_paper.runner import printed


def record(
    detector: str = "slad",
    dataset: str = "thyroid",
    auc_roc: float | None = 0.9,
    auc_pr: float | None = 0.5,
    *,
    split: int = 42,
    model: int | None = 42,
    experiment: str = "effectiveness",
    reason: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """A record as a run would write it; failed when a reason is given."""
    metrics = {"auc_roc": auc_roc, "auc_pr": auc_pr, "f1": 0.5}
    return {
        "format": 1,
        "experiment": experiment,
        "detector": detector,
        "parameters": {"epochs": 10},
        "dataset": dataset,
        "sha256": "00ff",
        "note": "",
        "split_seed": split,
        "model_seed": model,
        "max_rows": None,
        "status": "failed" if reason else "ok",
        "reason": reason,
        "metrics": None if reason else metrics,
        "rows": {"train": 10, "test": 20, "test_anomalies": 5, "features": 3},
        "seconds": {"fit": 0.1, "score": 0.1, "stacked": 1},
        "peak_memory": 1,
        "device": "cpu",
        "warnings": [],
        "environment": {},
    } | more


def write(folder: Path, *records: dict[str, Any]) -> Path:
    """Write records where runs write them; the folder of their experiment."""
    for each in records:
        model = "" if each["model_seed"] is None else f"-model{each['model_seed']}"
        mixed = f"-anomalies{each['contamination']:g}" if "contamination" in each else ""
        name = f"{each['dataset']}{mixed}-split{each['split_seed']}{model}.json"
        path = folder / each["experiment"] / each["detector"] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(each))
    return folder / records[0]["experiment"]


def main_table_runs(slad: float) -> list[dict[str, Any]]:
    """A main table in which slad-released has this AUC-ROC and every rival 0.8."""
    rows = ("thyroid", "waveform", "pageblocks")
    rivals = [name for method, name in printed.stand_ins().items() if method != printed.OURS]
    runs = [record(name, row, 0.8, 0.5) for name in rivals for row in rows]
    return runs + [record("slad-released", row, slad, slad - 0.1) for row in rows]


def image_size(path: Path) -> tuple[int, int]:
    """Width and height of an SVG file, in pixels at 150 dots per inch."""
    root = ElementTree.parse(path).getroot()
    width, height = (float(root.attrib[name].removesuffix("pt")) for name in ("width", "height"))
    return round(width * 150 / 72), round(height * 150 / 72)
