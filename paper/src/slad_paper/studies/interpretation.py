"""`slad reproduce interpretation`: do the losses of subspaces name the column that is to blame?

The paper's future direction iii: "the intermediate results in SLAD can be further processed for
anomaly interpretation". Culprits are planted in normal rows as in `slad_paper.studies.culprits`;
losses of subspaces, turned into blame in several ways, are held against occlusion, standard scores
and chance. The way that stands for all in the verdict was chosen on other tables (the cases
`choice-...`). Ways that look at predicted scales are also tried with a network that was not
trained.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from slad.core.errors import TrainingWarning
from slad.core.seeds import Streams
from slad.core.typing import Float, Int
from slad.detectors import SLAD
from slad.explain import occlusion
from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.culprits.hits import FLAGGED, Setting, found, reference_of, settings
from slad_paper.studies.culprits.methods import loss_shares, z_scores
from slad_paper.studies.culprits.tables import RATED, normal_rows
from slad_paper.studies.subspace_blame import TURNS, subspace_blame

ROWS = 100
"""Planted rows of each kind and table."""
GROUPS = (20, 100)
"""Groups of subspaces: SLAD's default, and five times as many."""
EPOCHS = 10
CHOSEN_ON = {
    "omi-1": ("omi-1",),
    "smd-1-1": ("smd-1-1",),
    "smd-1-6": ("smd-1-6",),
    "msl": ("msl-gdn",),
    "diabetes": (),
    "iris": (),
}
"""Tables of `slad_paper.studies.culprits.tables`, and what has to be at hand for them."""
CHOICE = "choice-"
UNTRAINED = "untrained"
SEED = 0


def cases(quick: bool) -> list[Case]:
    given = {"rows": 30 if quick else ROWS, "groups": list(GROUPS), "seed": SEED}
    rated: dict[str, tuple[str, ...]] = {name: (name,) for name in RATED}
    chosen: dict[str, tuple[str, ...]] = dict(CHOSEN_ON)
    if quick:
        rated, chosen = {"breast-cancer": ()}, {"iris": ()}
    return [
        *(Case(name, given, needed) for name, needed in rated.items()),
        *(Case(f"{CHOICE}{name}", given, needed) for name, needed in chosen.items()),
    ]


def run(case: Case, device: str) -> dict[str, Any]:
    table = normal_rows(case.name.removeprefix(CHOICE), SEED)
    setting = next(settings(table, SEED, case.settings["rows"]))  # without gaps
    return {
        "train_rows": len(setting.train),
        "columns": setting.train.shape[1],
        "results": list(_results(setting, device)),
    }


def _results(setting: Setting, device: str) -> Iterator[dict[str, Any]]:
    fitted = {
        count: SLAD(n_groups=count, epochs=EPOCHS, random_state=SEED, device=device).fit(
            setting.train
        )
        for count in GROUPS
    }
    plain, untrained = fitted[GROUPS[0]], _untrained(setting.train, device)
    threshold = np.quantile(plain.anomaly_score(setting.normal), 1 - FLAGGED)
    for plant, planted in setting.planted.items():
        flagged = plain.anomaly_score(planted.rows) > threshold
        for method, groups, blame in _blames(fitted, untrained, setting, planted.rows):
            yield {
                "plant": plant,
                "method": method,
                "groups": groups,
                **_counts(blame, planted.culprits, flagged),
            }


def _untrained(rows: Float[np.ndarray, "n d"], device: str) -> SLAD:
    """SLAD with the weights it starts from."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TrainingWarning)  # it did not learn
        return SLAD(epochs=1, learning_rate=0.0, random_state=SEED, device=device).fit(rows)


def _blames(
    fitted: dict[int, SLAD],
    untrained: SLAD,
    setting: Setting,
    rows: Float[np.ndarray, "n d"],
) -> Iterator[tuple[str, int, Float[np.ndarray, "n d"]]]:
    """(method, groups of subspaces behind it or 0, blame of every column)."""
    first, blocks = GROUPS[0], setting.blocks
    reference = reference_of(setting.train, SEED)
    yield (
        "occlusion",
        first,
        occlusion(fitted[first].anomaly_score, rows, reference, blocks).contributions,
    )
    yield "z-scores", 0, z_scores(rows, setting.train, blocks)
    yield "chance", 0, Streams(SEED).numpy("chance").random(rows.shape)
    for count, detector in fitted.items():
        yield "loss shares", count, loss_shares(detector, rows, blocks)
        for name in TURNS:
            yield name, count, subspace_blame(name, detector, rows, setting.train)
    for name in TURNS:
        if name.startswith("scale"):
            blame = subspace_blame(name, untrained, rows, setting.train)
            yield f"{name}, {UNTRAINED}", untrained.n_groups, blame


def _counts(
    blame: Float[np.ndarray, "n d"], culprits: Int[np.ndarray, "n 1"], flagged: np.ndarray
) -> dict[str, float]:
    top1, top3 = (found(blame, culprits, most) for most in (1, 3))
    return {
        "rows": len(blame),
        "top1": int(top1.sum()),
        "top3": int(top3.sum()),
        "auc": float(culprit_auc(blame, culprits[:, 0]).mean()),
        "flagged": int(flagged.sum()),
        "flagged_top1": int(top1[flagged].sum()),
    }


def culprit_auc(
    blame: Float[np.ndarray, "n d"], culprits: Int[np.ndarray, " n"]
) -> Float[np.ndarray, " n"]:
    """For each row, the share of the other columns that are blamed less; a tie counts as half."""
    mine = np.take_along_axis(blame, culprits[:, None], axis=1)
    below, equal = (blame < mine).sum(axis=1), (blame == mine).sum(axis=1) - 1
    shares: np.ndarray = (below + equal / 2) / (blame.shape[1] - 1)
    return shares


STUDY = CaseStudy(name="interpretation", cases=cases, run=run)
