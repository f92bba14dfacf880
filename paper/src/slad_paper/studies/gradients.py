"""The inlier-priority property: how gradients of inliers and anomalies add up.

The paper derives E|grad|^2 = Q N^2 for N rows in a random sigmoid network, hence a ratio of inliers
to anomalies of (N_in / N_an)^2 in the text, and of N_in / N_an in the appendix. Here: how the sum
grows (`growth`), the ratio (`ratio`), the constant Q (`constant`), and the same in slad's own
network on contaminated tables, before training and after some of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

import numpy as np

from slad.core.devices import resolve_device
from slad.core.seeds import Streams
from slad.detectors import SLAD
from slad_paper.datasets import load
from slad_paper.datasets.protocol import contaminated_split
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.row_gradients import class_gradients, watched
from slad_paper.studies.theory_network import (
    KINDS,
    TheoryNetwork,
    coefficients,
    exponent,
    interval,
    ordinary,
    printed_constant,
    repaired_constant,
    resampled_means,
    spread_and_mean,
    squared_sums,
)

UNITS, OUTPUTS = 16, 10
GROWTHS: dict[str, dict[str, Any]] = {
    "the paper's case": {},
    "100 units": {"units": 100},
    "all terms of the loss": {"whole": True},
    "labels of SLAD": {"real_labels": True},
    "a network a row": {"own": True},
    "signs at random": {},
}
CENTRED = "signs at random"
"""Gradients whose mean is zero in every network, as those of all rows at a stationary point."""
MANY = 32
"""The exponent is also fitted from so many rows on."""
RECIPES: dict[str, Callable[..., SLAD]] = {
    "paper": SLAD.paper,
    "released": SLAD.released,
    "default": SLAD,  # epochs are the study's own
}
BATCH = 50
"""Networks drawn at a time."""

Settings = Mapping[str, Any]


def cases(quick: bool) -> list[Case]:
    draws = 100 if quick else 600
    simulated = {"draws": draws, "resamples": 1_000, "seed": 0}
    made_up = [
        Case("growth", simulated | {"most_rows": 64 if quick else 512}),
        Case("ratio", simulated | {"rows": 1_000, "shares": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]}),
        Case("constant", {"draws": draws, "rows": 64, "seed": 0, "spreads": [0.1, 1.0]}),
    ]
    datasets = ["breast-cancer"] if quick else ["thyroid", "waveform"]
    seeds, epochs = ([0], [0, 1]) if quick else ([0, 1, 2, 3, 4], [0, 1, 10])
    real = [
        Case(
            f"{dataset}-{recipe}",
            {"dataset": dataset, "recipe": recipe, "rate": 0.02, "split_seed": 42}
            | {"seeds": seeds, "epochs": epochs},
            (dataset,),
        )
        for dataset, recipe in product(datasets, RECIPES)
    ]
    return made_up + real


def run(case: Case, device: str) -> dict[str, Any]:
    if case.name == "growth":
        return growth(case.settings)
    if case.name == "ratio":
        return ratio(case.settings)
    if case.name == "constant":
        return constant(case.settings)
    return real(case.settings, device)


# -- the network of the analysis -------------------------------------------------------------------


def growth(settings: Settings) -> dict[str, Any]:
    """|sum of N gradients|^2, averaged over networks, for N = 1, 2, 4, ..."""
    sizes = [2**k for k in range(int(np.log2(settings["most_rows"])) + 1)]
    lines = {}
    for name, changed in GROWTHS.items():
        rng = Streams(settings["seed"]).numpy(f"growth, {name}")
        network = TheoryNetwork(**({"units": UNITS, "outputs": OUTPUTS} | changed))
        sums: list[np.ndarray] = []
        stats: list[np.ndarray] = []
        for _ in range(settings["draws"] // BATCH):
            (found,) = network.gradients(BATCH, [sizes[-1]], rng)
            if name == CENTRED:
                found *= rng.choice([-1.0, 1.0], size=(*found.shape[:2], 1))
            sums.append(squared_sums(found, sizes))
            stats.append(np.stack(spread_and_mean(found)))
        lines[name] = _growth_line(sizes, np.concatenate(sums), settings["resamples"], rng)
        spread, mean = np.concatenate(stats, axis=1).mean(1)
        lines[name] |= {"spread": float(spread), "mean": float(mean)}
    return {"sizes": sizes, "many": MANY, "lines": lines}


def _growth_line(
    sizes: list[int], sums: np.ndarray, resamples: int, rng: np.random.Generator
) -> dict[str, Any]:
    means, again = sums.mean(0), resampled_means(sums, resamples, rng)
    many = [size for size in sizes if size >= MANY]
    return {
        "squared": means.tolist(),
        "error": (sums.std(0, ddof=1) / len(sums) ** 0.5).tolist(),
        "exponent": float(exponent(sizes, means)),
        "exponent_interval": interval(exponent(sizes, again)),
        "exponent_of_many": float(exponent(many, means[-len(many) :])),
        "exponent_of_many_interval": interval(exponent(many, again[:, -len(many) :])),
    }


def ratio(settings: Settings) -> dict[str, Any]:
    """E|sum over inliers|^2 / E|sum over anomalies|^2 in the same networks."""
    total = settings["rows"]
    odd = [round(share * total) for share in settings["shares"]]
    normal = [total - count for count in odd]
    quotient = [n / a for n, a in zip(normal, odd, strict=True)]
    network = TheoryNetwork(UNITS, OUTPUTS)
    lines = {}
    for name, draw in KINDS.items():
        rng = Streams(settings["seed"]).numpy(f"ratio, {name}")
        above, below, stats = [], [], []
        for _ in range(settings["draws"] // BATCH):
            pair = network.gradients(BATCH, [max(normal), max(odd)], rng, (ordinary, draw))
            above.append(squared_sums(pair[0], normal))
            below.append(squared_sums(pair[1], odd))
            stats.append(np.stack([each for part in pair for each in spread_and_mean(part)]))
        both = np.concatenate([np.concatenate(above), np.concatenate(below)], axis=1)
        again = resampled_means(both, settings["resamples"], rng)
        measured = both[:, : len(odd)].mean(0) / both[:, len(odd) :].mean(0)
        resampled = again[:, : len(odd)] / again[:, len(odd) :]
        spread, mean, odd_spread, odd_mean = np.concatenate(stats, axis=1).mean(1)
        lines[name] = {
            "ratio": measured.tolist(),
            "interval": [interval(column) for column in resampled.T],
            "exponent": float(exponent(quotient[:-1], measured[:-1])),
            "exponent_interval": interval(exponent(quotient[:-1], resampled[:, :-1])),
            "inliers": {"spread": float(spread), "mean": float(mean)},
            "anomalies": {"spread": float(odd_spread), "mean": float(odd_mean)},
        }
    return {"inliers": normal, "anomalies": odd, "lines": lines}


def constant(settings: Settings) -> dict[str, Any]:
    """The coefficient of N^2, that is M, beside the printed Q and the repaired one."""
    rows = []
    for units, c, spread in product((4, 16, 100), (2, 3, 10, 50), settings["spreads"]):
        rng = Streams(settings["seed"]).numpy(f"constant, {units} units, {c} outputs, {spread}")
        network = TheoryNetwork(units, c, spread=spread)
        found = [
            spread_and_mean(network.gradients(BATCH, [settings["rows"]], rng)[0])[1]
            for _ in range(settings["draws"] // BATCH)
        ]
        means = np.concatenate(found)
        rows.append(
            {"units": units, "outputs": c, "spread": spread, "simulated": float(means.mean())}
            | {"error": float(means.std(ddof=1) / len(means) ** 0.5)}
            # The printed Q is for weights in [-1, 1]; to second order it goes with their square.
            | {"printed": printed_constant(units, c) * spread**2}
            | {"repaired": repaired_constant(units, c, spread)}
        )
    terms = [{"outputs": c} | coefficients(c) for c in (2, 3, 5, 10, 50)]
    return {"rows": rows, "coefficients": terms, "moments": _moments(settings)}


def _moments(settings: Settings) -> dict[str, float]:
    """Of a unit for two rows, i and j, in one network; the appendix has 1/4, 1/16 and 1/16."""
    rng = Streams(settings["seed"]).numpy("moments")
    hidden = rng.uniform(-1, 1, size=(200_000, 10))
    first, second = (
        1 / (1 + np.exp(-(hidden * rng.normal(size=hidden.shape)).sum(1))) for _ in "ij"
    )
    return {
        "h_i h_j": float((first * second).mean()),
        "h_i^2 h_j^2": float((first**2 * second**2).mean()),
        "h_i^3 h_j": float((first**3 * second).mean()),
    }


# -- slad's own network ----------------------------------------------------------------------------


def real(settings: Settings, device: str) -> dict[str, Any]:
    """Gradients of a table's inliers and anomalies in SLAD, before, during and after training."""
    data = load(settings["dataset"], download=False)
    split = contaminated_split(data.X, data.y, settings["split_seed"], rate=settings["rate"])
    chosen = resolve_device(device)
    detectors = [
        RECIPES[settings["recipe"]](
            epochs=max(settings["epochs"]), random_state=seed, device=chosen.type
        )
        for seed in settings["seeds"]
    ]
    rows = []
    for detector, weights in zip(
        detectors, watched(detectors, split.train, settings["epochs"]), strict=True
    ):
        scaled = detector._scaler.rows(split.train, chosen).on(chosen)
        for epoch, each in weights.items():
            found = class_gradients(detector._scorers[0], each, scaled, split.train_labels)
            rows.append({"seed": detector.seed_, "epoch": epoch} | found)
    counts = np.bincount(split.train_labels, minlength=2).tolist()
    return {"inliers": counts[0], "anomalies": counts[1], "rows": rows}


STUDY = CaseStudy(name="gradients", cases=cases, run=run)
