"""Subspaces that are really drawn: simulations of the theory's cases, and slad's own sampler."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import hypergeom

from slad.core.typing import Float, Int
from slad.detectors import SLAD
from slad.detectors.slad.subspaces import sample_subspaces
from slad_paper.studies.usefulness import of_group

RECIPES = {"paper": SLAD.paper, "released": SLAD.released}
DRAWN = ("n_groups", "group_size", "length_pool", "replace_up_to")
"""The parameters that decide how subspaces are drawn."""


def effective_counts(
    n: int, m: int, draws: int, rng: np.random.Generator
) -> dict[str, Int[np.ndarray, " draws"]]:
    """Effective features of simulated subspaces, drawn and counted in three ways.

    The effective features are the first m: which they are makes no difference to a uniform draw.
    """
    used = np.arange(n) < rng.integers(1, n + 1, size=draws)[:, None]
    with_replacement = rng.integers(n, size=(draws, n))
    shuffled = rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)
    hit = used & (with_replacement < m)
    row, _ = np.nonzero(hit)
    seen = np.zeros((draws, m), dtype=bool)
    seen[row, with_replacement[hit]] = True
    return {
        "repeats": hit.sum(1),
        "subset": (used & (shuffled < m)).sum(1),
        "distinct": seen.sum(1),
    }


def share_and_error(useful: np.ndarray) -> tuple[float, float]:
    """The mean over the first axis, and its standard error."""
    return float(np.mean(useful)), float(np.std(useful, ddof=1) / len(useful) ** 0.5)


def sampler_settings(recipe: str) -> dict[str, Any]:
    parameters = RECIPES[recipe]().get_params()
    return {name: parameters[name] for name in DRAWN}


def by_sampler(
    recipe: str, n: int, m: int, needed: list[int], models: int, rng: np.random.Generator
) -> list[dict[str, float]]:
    """How many subspaces and groups of slad's own sampler are useful, for every number needed.

    A feature that a subspace holds twice counts once. All subspaces of a model share its pool of
    lengths, so the models are what is independent, and the errors are those of their means.
    """
    settings = sampler_settings(recipe)
    counts = np.stack([_distinct(n, m, settings, rng) for _ in range(models)])
    results = []
    for q in needed:
        useful = counts >= q
        subspaces, error = share_and_error(useful.mean(axis=(1, 2)))
        groups, of_groups = share_and_error(useful.any(axis=2).mean(axis=1))
        results.append(
            {"subspaces": subspaces, "error": error, "groups": groups, "groups_error": of_groups}
        )
    return results


def _distinct(
    n: int, m: int, settings: dict[str, Any], rng: np.random.Generator
) -> Int[np.ndarray, "r c"]:
    """Different effective features in every subspace of one model."""
    subspaces = sample_subspaces(n, rng=rng, **settings)
    owner = np.repeat(np.arange(len(subspaces)), subspaces.lengths)
    effective = subspaces.features < m
    different = np.unique(owner[effective] * n + subspaces.features[effective])
    counts = np.bincount(different // n, minlength=len(subspaces))
    return counts.reshape(settings["n_groups"], settings["group_size"])


def with_shared_lengths(
    n: int, m: int, q: int, *, pool: int, size: int, pools: int, rng: np.random.Generator
) -> dict[str, float]:
    """Pr(U is useful) where the subspaces' lengths come from a pool drawn once.

    Given the pool the subspaces are independent; over pools they are not, and by Jensen's
    inequality a group is then less often useful than one of independent subspaces.
    """
    by_length: Float[np.ndarray, " n"] = hypergeom.sf(q - 1, n, m, np.arange(1, n + 1))
    lengths = rng.permuted(np.tile(np.arange(n), (pools, 1)), axis=1)[:, :pool]
    useful, error = share_and_error(of_group(by_length[lengths].mean(1), size))
    return {
        "independent": float(of_group(by_length.mean(), size)),
        "shared": useful,
        "error": error,
    }
