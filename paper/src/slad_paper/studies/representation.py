"""`slad reproduce representation`: are the scales that SLAD predicts good features?

The paper says that scale learning contributes "to other tasks like representation learning in
tabular data" (introduction; appendix, "Future Directions", i) and measures nothing of it. Here
SLAD learns from rows without their labels, and a classifier with few labels works on the scales it
predicts, on the rows themselves, and on the scales of a network that was not trained: what is left
of a difference to the last one is due to learning, the rest to random maps.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.base import ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from slad.core.errors import TrainingWarning
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors import SLAD
from slad.detectors.parts.scaling import Scaler
from slad_paper.datasets import find
from slad_paper.datasets.loading import at_hand
from slad_paper.datasets.readers.idx import read_idx
from slad_paper.runner.study import Case, CaseStudy

LABELS = (5, 20, 100)
"""Labelled rows of each class."""
REPEATS, FEWER = 10, 5
"""Splits of a table; of the wide one fewer."""
WIDE_ROWS = 4000
"""Images of Fashion-MNIST that are drawn for a split."""
EPOCHS, LONGER = 10, 50
"""Epochs of the training, and of a longer one, in case ten are too few for features."""

Rows = Float[np.ndarray, "n d"]
Classes = Int[np.ndarray, " n"]


def _fashion() -> tuple[np.ndarray, np.ndarray]:
    paths = at_hand(find("fmnist-0"), None, download=False)
    images, classes = read_idx(paths[0], dimensions=3), read_idx(paths[1], dimensions=1)
    return images.reshape(len(images), -1).astype(np.float64), classes.astype(int)


def _of_sklearn(load: Callable[[], Any]) -> tuple[np.ndarray, np.ndarray]:
    table = load()
    return np.asarray(table.data, dtype=np.float64), np.asarray(table.target, dtype=int)


TABLES: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "wine": lambda: _of_sklearn(datasets.load_wine),
    "breast-cancer": lambda: _of_sklearn(datasets.load_breast_cancer),
    "digits": lambda: _of_sklearn(datasets.load_digits),
    "fashion-mnist": _fashion,
}


# -- features --------------------------------------------------------------------------------------


def scales(pool: Rows, rows: Rows, seed: int, device: str, **parameters: Any) -> Rows:
    """The scales that SLAD, fitted on the pool, predicts for rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)  # the untrained one did not learn
        detector = SLAD(random_state=seed, device=device, **parameters).fit(pool)
    return np.asarray(detector.transform(rows), dtype=np.float64)


FEATURES: dict[str, Callable[[Rows, Rows, int, str], Rows]] = {
    "raw": lambda pool, rows, seed, device: rows,
    "scales": lambda pool, rows, seed, device: scales(pool, rows, seed, device, epochs=EPOCHS),
    "scales, long training": lambda pool, rows, seed, device: scales(
        pool, rows, seed, device, epochs=LONGER
    ),
    "untrained": lambda pool, rows, seed, device: scales(
        pool, rows, seed, device, epochs=1, learning_rate=0.0
    ),
}
BOTH = "raw and scales"
"""Side by side: whether the scales add anything."""

CLASSIFIERS: dict[str, Callable[[], ClassifierMixin]] = {
    "5-nn": lambda: KNeighborsClassifier(5),
    "logistic": lambda: LogisticRegression(max_iter=5000),
}


def standardised(pool: Rows, rows: Rows) -> Rows:
    """Columns in units of the pool's deviations, as SLAD scales its own input."""
    return Scaler.fit("standard", pool).dense(rows)


# -- one split -------------------------------------------------------------------------------------


def split(classes: Classes, most: int | None, rng: np.random.Generator) -> tuple[Classes, Classes]:
    """Places of the pool and of the rows that test: halves of each class."""
    places = rng.permutation(len(classes))[:most]
    pool, test = [], []
    for each in np.unique(classes):
        mine = places[classes[places] == each]
        pool.append(mine[: len(mine) // 2])
        test.append(mine[len(mine) // 2 :])
    return np.concatenate(pool), np.concatenate(test)


def labelled(classes: Classes, count: int, rng: np.random.Generator) -> Classes | None:
    """So many places of each class; None where a class has fewer."""
    found = [np.flatnonzero(classes == each) for each in np.unique(classes)]
    if min(map(len, found)) < count:
        return None
    return np.concatenate([rng.permutation(mine)[:count] for mine in found])


def accuracies(
    rows: Rows, classes: Classes, most: int | None, seed: int, device: str
) -> Iterator[tuple[str, str, int, float]]:
    """(features, classifier, labels a class, share of test rows that are classified right)."""
    streams = Streams(seed)
    pool, test = split(classes, most, streams.numpy("split"))
    made = {
        name: make(rows[pool], rows[np.concatenate([pool, test])], seed, device)
        for name, make in FEATURES.items()
    }
    made = {name: standardised(each[: len(pool)], each) for name, each in made.items()}
    made[BOTH] = np.concatenate([made["raw"], made["scales"]], axis=1)
    for count in LABELS:
        known = labelled(classes[pool], count, streams.numpy(f"labels, {count}"))
        if known is None:
            continue
        for name, each in made.items():
            for kind, classifier in CLASSIFIERS.items():
                fitted = classifier().fit(each[known], classes[pool][known])
                right = fitted.predict(each[len(pool) :]) == classes[test]
                yield name, kind, count, float(np.mean(right))


# -- cases -----------------------------------------------------------------------------------------


def cases(quick: bool) -> list[Case]:
    found = []
    for name in ["wine"] if quick else TABLES:
        wide = name == "fashion-mnist"
        repeats = 1 if quick else FEWER if wide else REPEATS
        most = WIDE_ROWS if wide else 300 if quick else None
        settings = {"repeats": repeats, "rows": most, "labels": list(LABELS), "longer": LONGER}
        found.append(Case(name, settings, ("fmnist-0",) if wide else ()))
    return found


def run(case: Case, device: str) -> dict[str, Any]:
    rows, classes = TABLES[case.name]()
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for seed in range(case.settings["repeats"]):
        for name, kind, count, share in accuracies(
            rows, classes, case.settings["rows"], seed, device
        ):
            of_kind = found.setdefault(name, {}).setdefault(kind, {})
            of_kind.setdefault(str(count), []).append(share)
    return {
        "rows": len(rows),
        "columns": rows.shape[1],
        "classes": len(np.unique(classes)),
        "accuracy": found,
    }


STUDY = CaseStudy(name="representation", cases=cases, run=run)
