"""The paper's SLAD row (its main table) against the three recipes of SLAD.

Protocol of the released code: rows shuffled with seed 42, the first half of the normal rows
trains, the other half and all anomalies test; model seeds 42 to 46. One record a recipe and
dataset under results/fidelity/; what is recorded is not run again.

    python -m slad.experiments.fidelity                 # run what is missing, print the table
    python -m slad.experiments.fidelity --table         # print the table of what is there
    python -m slad.experiments.fidelity --variants      # the released recipe, one thing changed
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.preprocessing import MinMaxScaler

from slad.core.errors import DataError
from slad.core.typing import Table
from slad.detectors import RELEASED_EPOCHS, SLAD, fit_many
from slad.experiments.records import environment, write_record

SPLIT_SEED = 42
MODEL_SEEDS = (42, 43, 44, 45, 46)


@dataclass(frozen=True)
class Printed:
    """A dataset's files under the data root, and the paper's AUC-ROC and AUC-PR (mean, std)."""

    files: str
    roc: tuple[float, float]
    pr: tuple[float, float]
    scaled: bool = True


DATASETS = {
    "thyroid": Printed("paper/01-thyroid.csv", (0.995, 0.001), (0.921, 0.012)),
    "arrhythmia": Printed("paper/02-arrhythmia.csv", (0.825, 0.007), (0.604, 0.006)),
    "waveform": Printed("paper/02-waveform.npz", (0.812, 0.047), (0.432, 0.132)),
    "pageblocks": Printed("paper/27_PageBlocks.npz", (0.972, 0.004), (0.872, 0.016)),
    "bank": Printed("adbench/5_campaign.npz", (0.730, 0.004), (0.470, 0.003)),
    "thrombin": Printed("paper/thrombin_csr.npz", (0.939, 0.007), (0.625, 0.014)),
    "mvtec": Printed("mvtec/MVTec-AD_*.npz", (0.812, 0.009), (0.778, 0.009), scaled=False),
}

RECIPES = ("released", "paper", "default")
PEER = "deepod"

VARIANTS: dict[str, dict[str, Any]] = {
    "jensen-shannon": {"loss": "jensen_shannon"},
    "kl": {"loss": "kl"},
    "affine maps": {"maps": "affine"},
    "network bias": {"bias": True},
    "all lengths": {"length_pool": None},
    "no replacement": {"replace_up_to": 0},
    "plain weights": {"rescale_weights": False},
    "all rows": {"row_sampling": "all"},
    "no weight decay": {"weight_decay": 0.0},
    "standard scaling": {"scaling": "standard"},
}
"""The released recipe with one thing changed: what each difference is worth."""
VARIANT_DATASETS = ("thyroid", "arrhythmia", "waveform", "pageblocks")


def make(recipe: str, dataset: str, seed: int) -> SLAD:
    """A recipe as the authors ran it on a dataset: its documented epochs and scaling."""
    if recipe == "default":
        return SLAD(random_state=seed)
    overrides: dict[str, Any] = {} if DATASETS[dataset].scaled else {"scaling": "none"}
    if recipe == "paper":
        return SLAD.paper(random_state=seed, **overrides)
    overrides |= VARIANTS.get(recipe, {})
    epochs = RELEASED_EPOCHS.get(dataset, 100)
    return SLAD.released(random_state=seed, epochs=epochs, **overrides)


def read(path: Path) -> tuple[Table, np.ndarray]:
    """Rows and labels (1 = anomaly) of a file of the data root."""
    if path.suffix == ".csv":
        table = np.loadtxt(path, delimiter=",", skiprows=1)
        return table[:, :-1], table[:, -1].astype(int)
    with np.load(path) as arrays:
        labels = arrays["y"].astype(int)
        if "indptr" in arrays:
            parts = (arrays["data"].astype(np.float32), arrays["indices"], arrays["indptr"])
            return csr_array(parts, shape=tuple(arrays["shape"])), labels
        return arrays["X"], labels


def split(labels: np.ndarray, seed: int = SPLIT_SEED) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers that train (a random half of the normals) and that test, shuffled."""
    order = np.random.RandomState(seed).permutation(len(labels))
    normal, odd = order[labels[order] == 0], order[labels[order] == 1]
    half = len(normal) // 2
    rest = np.concatenate([normal[half:], odd])
    return normal[:half], np.random.default_rng(seed).permutation(rest)


class Peer:
    """DeepOD's SLAD, the released code as it is, for a check of data and split (`--peer DIR`)."""

    def __init__(self, epochs: int, seed: int) -> None:
        self.epochs, self.seed = epochs, seed

    def fit(self, rows: np.ndarray) -> Peer:
        from deepod.models.tabular import slad

        self.scaler = MinMaxScaler().fit(rows)
        self.detector = slad.SLAD(
            epochs=self.epochs, device="cpu", verbose=0, random_state=self.seed
        ).fit(self.scaler.transform(rows))
        return self

    def anomaly_score(self, rows: np.ndarray) -> np.ndarray:
        scores: np.ndarray = self.detector.decision_function(self.scaler.transform(rows))
        return scores


def fit_all(recipe: str, dataset: str, rows: Table, seeds: Sequence[int]) -> list[Any]:
    """A detector of every model seed, fitted."""
    if recipe == PEER:
        epochs = RELEASED_EPOCHS.get(dataset, 100)
        return [Peer(epochs, seed).fit(rows) for seed in seeds]
    detectors = [make(recipe, dataset, seed) for seed in seeds]
    return list(fit_many(detectors, [rows] * len(detectors)))


def run(
    recipe: str, dataset: str, root: Path, seeds: Sequence[int] = MODEL_SEEDS
) -> dict[str, Any]:
    """AUC-ROC and AUC-PR of every model seed; over the files of a dataset, their mean."""
    paths = sorted(root.glob(DATASETS[dataset].files))
    if not paths:
        raise DataError(f"no {DATASETS[dataset].files} under {root}: set SLAD_DATA to a data root")
    start = time.perf_counter()
    metrics = np.empty((len(paths), len(seeds), 2))
    for number, path in enumerate(paths):
        rows, labels = read(path)
        train, test = split(labels)
        detectors = fit_all(recipe, dataset, rows[train], seeds)
        for place, detector in enumerate(detectors):
            scores = detector.anomaly_score(rows[test])
            metrics[number, place] = (
                roc_auc_score(labels[test], scores),
                average_precision_score(labels[test], scores),
            )
    by_seed = metrics.mean(axis=0)
    parameters = {} if recipe == PEER else detectors[0]._plain_parameters()
    return {
        "experiment": "fidelity",
        "recipe": recipe,
        "dataset": dataset,
        "files": [str(path.relative_to(root)) for path in paths],
        "split_seed": SPLIT_SEED,
        "model_seeds": list(seeds),
        "parameters": parameters | {"random_state": "model_seeds"},
        "auc_roc": by_seed[:, 0].tolist(),
        "auc_pr": by_seed[:, 1].tolist(),
        "seconds": round(time.perf_counter() - start, 2),
        "environment": environment(),
    }


def table(folder: Path) -> Iterator[str]:
    """The records as Markdown; a figure within two of the paper's deviations is marked."""
    yield "| dataset | paper, as printed | " + " | ".join(RECIPES) + " |"
    yield "|---" * (len(RECIPES) + 2) + "|"
    for dataset, printed in DATASETS.items():
        cells = [", ".join(f"{mean:.3f} ± {std:.3f}" for mean, std in (printed.roc, printed.pr))]
        for recipe in RECIPES:
            path = record_path(folder, recipe, dataset)
            cells.append(_cell(json.loads(path.read_text()), printed) if path.exists() else "")
        yield f"| {dataset} | " + " | ".join(cells) + " |"


def variant_table(folder: Path) -> Iterator[str]:
    """What one change to the released recipe does: AUC-ROC, AUC-PR."""
    yield "| released recipe | " + " | ".join(VARIANT_DATASETS) + " |"
    yield "|---" * (len(VARIANT_DATASETS) + 1) + "|"
    for recipe in ("released", *VARIANTS):
        cells = []
        for dataset in VARIANT_DATASETS:
            path = record_path(folder, recipe, dataset)
            cells.append(_plain(json.loads(path.read_text())) if path.exists() else "")
        name = "as it is" if recipe == "released" else recipe
        yield f"| {name} | " + " | ".join(cells) + " |"


def record_path(folder: Path, recipe: str, dataset: str) -> Path:
    return folder / f"{recipe.replace(' ', '-')}-{dataset}.json"


def _plain(record: dict[str, Any]) -> str:
    return ", ".join(f"{np.mean(record[key]):.3f}" for key in ("auc_roc", "auc_pr"))


def _cell(record: dict[str, Any], printed: Printed) -> str:
    parts = []
    for values, (mean, deviation) in (
        (record["auc_roc"], printed.roc),
        (record["auc_pr"], printed.pr),
    ):
        mark = " ✓" if abs(np.mean(values) - mean) <= 2 * deviation else ""
        parts.append(f"{np.mean(values):.3f} ± {np.std(values):.3f}{mark}")
    return ", ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--datasets", nargs="+", choices=DATASETS, default=list(DATASETS))
    parser.add_argument(
        "--recipes", nargs="+", choices=(*RECIPES, *VARIANTS, PEER), default=list(RECIPES)
    )
    parser.add_argument("--peer", type=Path, help="folder that holds DeepOD 0.4.1")
    parser.add_argument("--variants", action="store_true", help="run the variants instead")
    parser.add_argument("--seeds", nargs="+", type=int, default=MODEL_SEEDS, help="model seeds")
    parser.add_argument("--results", type=Path, default=Path("results/fidelity"))
    parser.add_argument("--again", action="store_true", help="run what is recorded already, too")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    if options.peer:
        sys.path.insert(0, str(options.peer))
    if options.variants:
        options.recipes, options.datasets = list(VARIANTS), list(VARIANT_DATASETS)
    if not options.table:
        root = Path(os.environ.get("SLAD_DATA", "data"))
        for recipe in options.recipes:
            for dataset in options.datasets:
                path = record_path(options.results, recipe, dataset)
                if options.again or not path.exists():
                    print(f"{recipe} on {dataset} ...", file=sys.stderr)
                    write_record(path, run(recipe, dataset, root, options.seeds))
    print("\n".join((variant_table if options.variants else table)(options.results)))


if __name__ == "__main__":
    main()
