"""`slad reproduce subspace-search`: how good can the paper's own scale learning be made?

No item of the paper. On the tuning suite, variants of everything that the paper or its released
code fixes: scaling, maps, loss, labels, network, length of training; and of every variant several
ways to turn losses and predicted scales into a score, alone, beside the nearest neighbour, and as
further columns of the profile that `NeighborScale()` weighs. A case is a variant, on all tasks,
with one seed.

The rule, set before the first case ran: a variant takes the place of `NeighborScale()` if it is
ahead of it over the sources in both metrics with p < 0.05 (Wilcoxon's signed-rank test, after Holm
over all variants and metrics), and not otherwise.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from slad.core.devices import resolve_device
from slad.core.errors import TrainingWarning
from slad.core.typing import Float, Int
from slad.detectors import KNN, SLAD, Detector, NeighborScale, fit_many, registry
from slad_paper.datasets import load
from slad_paper.datasets.protocol import Split, half_normal_split
from slad_paper.datasets.suite import tasks
from slad_paper.runner.encoded_split import encoded
from slad_paper.runner.metrics import auc_pr, auc_roc
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.fresh_subspaces import FreshSubspaces
from slad_paper.studies.subspace_variants import BY_WIDTH, REFERENCES, SCALINGS, VARIANTS

SEED = 0
EPOCHS = 10
"""Of every variant that does not say its own."""
STACK = 64
"""Tasks that train together on a GPU."""
DIGITS = 6
SAID = 20
"""Tasks between two words on progress."""
TAIL = 0.1
"""Beyond this share of the training rows a tail is taken for exponential."""

Scores = Float[np.ndarray, " n"]
Pair = tuple[Scores, Scores]
"""Scores of the training rows, and of the test rows."""

RECIPES: dict[str, Callable[..., Any]] = {
    "": partial(SLAD, epochs=EPOCHS),
    "released": SLAD.released,
    "paper": SLAD.paper,
    "fresh": FreshSubspaces,
}
Learner = SLAD | FreshSubspaces


# -- one variant on one task -----------------------------------------------------------------------


@dataclass
class Fitted:
    """The detectors of a variant, fitted, and what they say of the rows of a split."""

    split: Split
    detectors: Sequence[Learner]

    def losses(self, rows: np.ndarray) -> Float[np.ndarray, "n groups"]:
        return np.concatenate([each.group_losses(rows) for each in self.detectors], axis=1)

    def scales(self, rows: np.ndarray) -> Float[np.ndarray, "n scales"]:
        return np.concatenate([each.transform(rows) for each in self.detectors], axis=1)

    @cached_property
    def both_losses(self) -> tuple[np.ndarray, np.ndarray]:
        """Of the training and of the test rows."""
        return self.losses(self.split.train), self.losses(self.split.test)

    @cached_property
    def both_scales(self) -> tuple[np.ndarray, np.ndarray]:
        return self.scales(self.split.train), self.scales(self.split.test)


def fit(
    variant: Sequence[Mapping[str, Any]], splits: Sequence[Split], device: str
) -> Iterator[Fitted]:
    """A variant's detectors on every split; on a GPU those of many splits train as one stack."""
    size = STACK if resolve_device(device).type == "cuda" else 1
    for start in range(0, len(splits), size):
        some = splits[start : start + size]
        made = [
            [
                make(settings, SEED + number, split, device)
                for number, settings in enumerate(variant)
            ]
            for split in some
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TrainingWarning)  # the untrained one did not learn
            for alike in zip(*made, strict=True):
                if isinstance(alike[0], SLAD):
                    fit_many(alike, [split.train for split in some])
                else:
                    for detector, split in zip(alike, some, strict=True):
                        detector.fit(split.train)
        yield from map(Fitted, some, made)


def make(settings: Mapping[str, Any], seed: int, split: Split, device: str) -> Learner:
    own: dict[str, Any] = {"device": device, "random_state": seed} | dict(settings)
    if BY_WIDTH in own:
        own["magnification"] = own.pop(BY_WIDTH) / split.train.shape[1]
    made: Learner = RECIPES[own.pop("recipe", "")](**own)
    return made


def tails(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """-log of the share of training rows beyond each value, column by column.

    Beyond the last tenth of them the tail is exponential with their mean excess, so that rows
    farther out than all are told apart.
    """
    ordered = np.sort(train, axis=0)
    start = ordered[int((1 - TAIL) * (len(ordered) - 1))]
    excess = np.maximum(ordered - start, 0).sum(axis=0) / np.maximum((ordered > start).sum(0), 1)
    excess = np.maximum(excess, 1e-3 * ordered.std(axis=0) + 1e-12)

    def of(rows: np.ndarray) -> np.ndarray:
        below = [np.searchsorted(own, cells) for own, cells in zip(ordered.T, rows.T, strict=True)]
        inside = -np.log1p(-np.stack(below, 1) / (len(ordered) + 1))
        beyond = -np.log(TAIL) + (rows - start) / excess
        return np.where(rows > start, beyond, inside)

    return of(train), of(test)


def tail_means(*pairs: tuple[np.ndarray, np.ndarray]) -> Scores:
    """Of the test rows: the mean tail over columns, each pair's columns counting as one."""
    found = [tails(*(part.reshape(len(part), -1) for part in pair))[1] for pair in pairs]
    mean: np.ndarray = np.mean([each.mean(axis=1) for each in found], axis=0)
    return mean


def nearest(train: np.ndarray, test: np.ndarray, device: str) -> Pair:
    """Distances to the nearest training row in units of the columns' deviations."""
    detector = KNN(n_neighbors=1, device=device).fit(train)
    return detector.training_scores_, detector.anomaly_score(test)


def two_sided(fitted: Fitted) -> Scores:
    """A loss may be strangely low, too."""
    train, test = fitted.both_losses
    higher, lower = tails(train, test)[1], tails(-train, -test)[1]
    sides: np.ndarray = np.maximum(higher, lower).mean(axis=1)
    return sides


def mahalanobis(fitted: Fitted) -> Scores:
    train, test = fitted.both_scales
    return registry.make("mahalanobis").fit(train).anomaly_score(test)


class Beside(NeighborScale):
    """`NeighborScale()` with further columns in its profile, which its weights weigh, too."""

    def __init__(
        self,
        further: Callable[[np.ndarray, Int[np.ndarray, " n"] | None], np.ndarray] | None = None,
        **parameters: Any,
    ) -> None:
        super().__init__(**parameters)
        self.further = further

    def _distances(
        self, rows: Float[np.ndarray, "n d"], own: Int[np.ndarray, " n"] | None = None
    ) -> Float[np.ndarray, "n profile"]:
        plain = super()._distances(rows, own)
        raw = rows * self._scaler.scale + self._scaler.center
        return plain if self.further is None else np.hstack([plain, self.further(raw, own)])


def profile_with_loss(fitted: Fitted, device: str) -> Scores:
    def further(rows: np.ndarray, own: np.ndarray | None) -> np.ndarray:
        mean: np.ndarray = fitted.losses(rows).mean(axis=1, keepdims=True).clip(min=0)
        return mean

    return _beside(fitted, further, device)


def profile_with_scales(fitted: Fitted, device: str) -> Scores:
    """The distance between predicted scales, to the nearest of another training row."""
    train = fitted.both_scales[0]
    center, deviation = train.mean(axis=0), np.maximum(train.std(axis=0), 1e-9)
    near = KNN(n_neighbors=min(2, len(train) - 1), scaling="none", device=device)
    near.fit((train - center) / deviation)

    def further(rows: np.ndarray, own: np.ndarray | None) -> np.ndarray:
        found = [part[0] for part in near._found((fitted.scales(rows) - center) / deviation)]
        # The row that a view was made of is its nearest, nearly always: the next one counts.
        return np.concatenate(found)[:, [0 if own is None else -1]]

    return _beside(fitted, further, device)


def _beside(fitted: Fitted, further: Any, device: str) -> Scores:
    detector: NeighborScale = Beside(further, device=device, random_state=SEED).fit(
        fitted.split.train
    )
    return detector.anomaly_score(fitted.split.test)


def scores_of(fitted: Fitted, rows: Mapping[str, Pair], device: str) -> dict[str, Scores]:
    """Every way to score the test rows; `rows`: what the references say of the same split."""
    losses = fitted.both_losses
    mean = losses[0].mean(axis=1), losses[1].mean(axis=1)
    near = nearest(*fitted.both_scales, device)
    plain, ours = rows["1-NN, standard"], rows["NeighborScale()"]
    return {
        "loss": mean[1],
        "tails of groups": tail_means(losses),
        "tails of groups, both sides": two_sided(fitted),
        "1-NN of losses": nearest(*losses, device)[1],
        "1-NN of scales": near[1],
        "Mahalanobis of scales": mahalanobis(fitted),
        "committee: loss, 1-NN": tail_means(mean, plain),
        "committee: 1-NN of scales, 1-NN": tail_means(near, plain),
        "committee: loss, NeighborScale()": tail_means(mean, ours),
        "committee: 1-NN of scales, NeighborScale()": tail_means(near, ours),
        "NeighborScale()'s profile and loss": profile_with_loss(fitted, device),
        "NeighborScale()'s profile and 1-NN of scales": profile_with_scales(fitted, device),
    }


# -- the suite -------------------------------------------------------------------------------------


@cache
def split_of(name: str, max_rows: int | None) -> Split:
    data = load(name, download=False)
    return encoded(half_normal_split(data.X, data.y, SEED, max_rows=max_rows), data.entry)


@cache
def references(name: str, max_rows: int | None, device: str) -> dict[str, Pair]:
    """What others say of the training rows, each by the others, and of the test rows."""
    split = split_of(name, max_rows)
    others: dict[str, Detector] = {
        f"1-NN, {scaling}": KNN(n_neighbors=1, scaling=scaling, device=device)
        for scaling in SCALINGS
    }
    others["NeighborScale()"] = NeighborScale(device=device, random_state=SEED)
    return {
        each: (detector.fit(split.train).training_scores_, detector.anomaly_score(split.test))
        for each, detector in others.items()
    }


def cases(quick: bool) -> list[Case]:
    names = tuple(each.name for each in tasks())
    settings: dict[str, Any] = {"tasks": len(names), "seed": SEED, "max_rows": None}
    variants: dict[str, Any] = {REFERENCES: [], **VARIANTS}
    if quick:
        names = names[:3]
        settings = {"tasks": list(names), "seed": SEED, "max_rows": 300}
        variants = {each: variants[each] for each in (REFERENCES, "default", "untrained")}
    return [
        Case(name, {"variant": variant, **settings}, names) for name, variant in variants.items()
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    """The AUC of every way to score on every task."""
    most = case.settings["max_rows"]
    splits = [split_of(name, most) for name in case.datasets]
    found: dict[str, dict[str, list[float]]] = {}
    for done, (split, scores) in enumerate(
        zip(splits, _scores(case, splits, device), strict=True), start=1
    ):
        if done % SAID == 0:
            print(f"slad: {case.name}: {done} of {len(splits)} tasks", file=sys.stderr)
        for each, values in scores.items():
            own = found.setdefault(each, {"auc_roc": [], "auc_pr": []})
            own["auc_roc"].append(round(auc_roc(split.test_labels, values), DIGITS))
            own["auc_pr"].append(round(auc_pr(split.test_labels, values), DIGITS))
    return {"tasks": list(case.datasets), "scores": found}


def _scores(case: Case, splits: Sequence[Split], device: str) -> Iterator[dict[str, Scores]]:
    """Of the test rows of every task, by every way to score them."""
    others = (references(name, case.settings["max_rows"], device) for name in case.datasets)
    if case.name == REFERENCES:
        for rows in others:
            yield {name: test for name, (_, test) in rows.items()}
        return
    for fitted, rows in zip(fit(case.settings["variant"], splits, device), others, strict=True):
        yield scores_of(fitted, rows, device)


STUDY = CaseStudy(name="subspace-search", cases=cases, run=run)
