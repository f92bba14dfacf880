"""`slad reproduce series`: scale learning on time series, a direction the paper names (appendix,
"Future Directions", ii), against others on the same windows.

Detectors see the first four fifths of the part of a series that trains; the last fifth gives the
threshold of the affiliation metrics, and no label does. How SLADSeries draws subspaces was chosen
by faults planted in the part that trains (the cases `choice-...`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from slad.core.seeds import Streams
from slad.core.typing import Float
from slad.detectors import KNN, PCA, SLAD, IsolationForest, SeriesDetector, SLADSeries
from slad_paper.datasets import Series, load_series, names
from slad_paper.runner.metrics import auc_roc
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.series_faults import FAULTS, planted
from slad_paper.studies.series_metrics import events, measure_series

WINDOW = 10
"""As TranAD has it on the same servers and spacecraft."""
WINDOWS = 5000
"""Windows that train, at most about: a longer series is strided."""
HELD_OUT = 0.2
"""Share of the part that trains that gives the threshold, ..."""
QUANTILE = 0.99
"""... which so many of its points are below."""
SEEDS = (0, 1, 2)
EPOCHS = 10
"""Of every network, as in SLADSeries."""
PICTURED = "omi-1"
"""The series whose scores are drawn: the first of the catalog."""
PIECES = 720
"""Of its points, drawn as the largest score of each piece."""

CHOICE_WINDOWS, CHOICE_POINTS = 2000, 2000
CHOICE_FILES = 6
"""Every so many files of SKAB one takes part in the choice."""
CHOICE_DRAWS = 3
"""Times that faults are planted anew."""

Score = Callable[[np.ndarray], np.ndarray]
Fit = Callable[[np.ndarray, int, int, str], Score]
"""(series, stride, seed, device) -> scores of time points."""


def _windows(make: Callable[[int, str], Any]) -> Fit:
    def fit(head: np.ndarray, stride: int, seed: int, device: str) -> Score:
        detector = make(seed, device).set_params(window=WINDOW, stride=stride)
        score: Score = detector.fit(head).anomaly_score
        return score

    return fit


def z_scores(head: np.ndarray, stride: int, seed: int, device: str) -> Score:
    """The largest deviation of any channel at a point, without windows."""
    center, scale = head.mean(axis=0), head.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    return lambda series: np.abs((series - center) / scale).max(axis=1)


def chance(head: np.ndarray, stride: int, seed: int, device: str) -> Score:
    """Random numbers: what a metric gives for nothing."""
    return lambda series: Streams(seed).numpy(f"chance, {len(series)}").random(len(series))


DETECTORS: dict[str, Fit] = {
    "SLADSeries": _windows(lambda seed, device: SLADSeries(random_state=seed, device=device)),
    "SLAD, windows as rows": _windows(
        lambda seed, device: SeriesDetector(SLAD(epochs=EPOCHS, random_state=seed, device=device))
    ),
    "knn-5": _windows(lambda seed, device: SeriesDetector(KNN(device=device))),
    "iforest": _windows(lambda seed, device: SeriesDetector(IsolationForest(random_state=seed))),
    "pca": _windows(lambda seed, device: SeriesDetector(PCA())),
    "z-scores": z_scores,
    "chance": chance,
}
DETERMINISTIC = ("knn-5", "pca", "z-scores")

WAYS: dict[str, Callable[[int, str], SLADSeries]] = {
    "spans": lambda seed, device: _way("spans", seed, device),
    "lags": lambda seed, device: _way("lags", seed, device),
    "cells": lambda seed, device: _way("cells", seed, device),
    "cells, each weighs 1": lambda seed, device: _way("cells", seed, device, WINDOW),
}


def _way(subspaces: str, seed: int, device: str, weight: float = 1.0) -> SLADSeries:
    """SLADSeries with a way of drawing; `weight` is that of a channel over a window."""
    inner = SLAD(epochs=EPOCHS, magnification=SLAD().magnification * weight)
    return SLADSeries(subspaces=subspaces, detector=inner, random_state=seed, device=device)


# -- cases -----------------------------------------------------------------------------------------


def cases(quick: bool) -> list[Case]:
    skab = names("skab")
    listed = {name: [name] for name in names("series")} | {"skab": skab}
    chosen = listed | {"skab": skab[::CHOICE_FILES]}
    seeds = list(SEEDS)
    if quick:
        listed, seeds = {"skab": skab[:1]}, [0]
        chosen = {"skab": skab[:1]}
    windows, of_choice = (500, 500) if quick else (WINDOWS, CHOICE_WINDOWS)
    judged = {"seeds": seeds, "quantile": QUANTILE, "detectors": [*DETECTORS]}
    choice = {"points": CHOICE_POINTS, "draws": CHOICE_DRAWS, "ways": [*WAYS]}
    return [
        *(_case(name, files, windows, judged) for name, files in listed.items()),
        *(_case(f"choice-{name}", files, of_choice, choice) for name, files in chosen.items()),
    ]


def _case(name: str, files: list[str], windows: int, settings: Mapping[str, Any]) -> Case:
    common = {"series": files, "window": WINDOW, "windows": windows, "held_out": HELD_OUT}
    return Case(name, {**common, **settings}, tuple(files))


def run(case: Case, device: str) -> dict[str, Any]:
    one = _chosen if case.name.startswith("choice-") else _judged
    return {"series": [one(load_series(name), case, device) for name in case.settings["series"]]}


def _parts(series: Series) -> tuple[Float[np.ndarray, "n c"], Float[np.ndarray, "m c"]]:
    """What is learned from, and the later rest of the part that trains."""
    train = np.asarray(series.train, dtype=np.float64)
    cut = round((1 - HELD_OUT) * len(train))
    return train[:cut], train[cut:]


def _judged(series: Series, case: Case, device: str) -> dict[str, Any]:
    head, tail = _parts(series)
    test = np.asarray(series.test, dtype=np.float64)
    stride = max(1, len(head) // case.settings["windows"])
    results: dict[str, list[dict[str, float]]] = {}
    drawn: dict[str, list[float]] = {}
    for name, fit in DETECTORS.items():
        results[name] = []
        for seed in case.settings["seeds"][: 1 if name in DETERMINISTIC else None]:
            start = time.perf_counter()
            score = fit(head, stride, seed, device)
            threshold = float(np.quantile(score(tail), QUANTILE))
            scores = score(test)
            seconds = time.perf_counter() - start
            found = measure_series(series.labels, scores, threshold)
            results[name].append({"seed": seed} | found | {"seconds": round(seconds, 2)})
            if series.name == PICTURED and name not in drawn:
                drawn[name] = [*_pieces(scores), threshold]
    about = {"name": series.name, "channels": test.shape[1], "train": len(series.train)}
    about |= {"test": len(test), "events": len(events(series.labels)), "stride": stride}
    picture = {"labels": _pieces(series.labels), "scores": drawn} if drawn else None
    return about | {"anomalies": int(series.labels.sum()), "results": results, "picture": picture}


def _pieces(values: np.ndarray) -> list[float]:
    """The largest value of each piece of a series."""
    parts = np.array_split(values, min(PIECES, len(values)))
    return [float(f"{part.max():.4g}") for part in parts]


def _chosen(series: Series, case: Case, device: str) -> dict[str, Any]:
    """How well every way finds faults planted in the held-out rest of the part that trains."""
    head, tail = _parts(series)
    tail = tail[:CHOICE_POINTS]
    stride = max(1, len(head) // case.settings["windows"])
    rng = Streams(0).numpy(f"{series.name}, faults")
    spoilt = {
        kind: [planted(kind, tail, head, rng) for _ in range(CHOICE_DRAWS)] for kind in FAULTS
    }
    results = {}
    for way, make in WAYS.items():
        detector = make(0, device).set_params(window=WINDOW, stride=stride).fit(head)
        results[way] = {
            kind: float(np.mean([auc_roc(y, detector.anomaly_score(rows)) for rows, y in draws]))
            for kind, draws in spoilt.items()
        }
    return {"name": series.name, "results": results}


STUDY = CaseStudy(name="series", cases=cases, run=run)
