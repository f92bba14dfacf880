"""Step 1: groups of random feature subsets, the paper's S."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from slad.core.typing import Int


@dataclass(frozen=True)
class Subspaces:
    """`n_groups` x `group_size` feature subsets, stored end to end (group by group)."""

    features: Int[np.ndarray, " total"]
    lengths: Int[np.ndarray, " subspaces"]
    n_features: int
    group_size: int

    @property
    def n_groups(self) -> int:
        return len(self.lengths) // self.group_size

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, index: int) -> Int[np.ndarray, " length"]:
        """Features of one subspace; `index` counts through the groups."""
        end = self._ends[index]
        return self.features[end - self.lengths[index] : end]

    @cached_property
    def has_repeats(self) -> bool:
        """Whether some subspace holds a feature twice, as in the released code on narrow tables."""
        owner = np.repeat(np.arange(len(self)), self.lengths)
        return len(np.unique(owner * self.n_features + self.features)) < len(self.features)

    @cached_property
    def _ends(self) -> Int[np.ndarray, " subspaces"]:
        return np.cumsum(self.lengths, dtype=np.int64)


def sample_subspaces(
    n_features: int,
    *,
    n_groups: int,
    group_size: int,
    rng: np.random.Generator,
    length_pool: int | None = None,
    replace_up_to: int = 0,
) -> Subspaces:
    """Draw every subspace's length, then its features.

    The paper draws lengths uniformly from 1..D. With `length_pool`, this many lengths are drawn
    once and all lengths are drawn from them. In tables of at most `replace_up_to` features,
    features are drawn with replacement. The released code does both (50 and 10).
    """
    pool = np.arange(1, n_features + 1)
    if length_pool is not None and length_pool < n_features:
        pool = rng.choice(pool, length_pool, replace=False)
    lengths = rng.choice(pool, n_groups * group_size)
    replace = n_features <= replace_up_to
    features = [rng.choice(n_features, length, replace=replace) for length in lengths]
    return Subspaces(
        features=np.concatenate(features).astype(np.int32),
        lengths=lengths.astype(np.int32),
        n_features=n_features,
        group_size=group_size,
    )


def with_whole_rows(subspaces: Subspaces) -> Subspaces:
    """The same groups, each followed by a subspace of all features."""
    groups = subspaces.lengths.reshape(subspaces.n_groups, -1)
    every = np.arange(subspaces.n_features, dtype=np.int32)
    parts = np.split(subspaces.features, np.cumsum(groups.sum(axis=1))[:-1])
    lengths = np.column_stack([groups, np.full(len(groups), subspaces.n_features)])
    return Subspaces(
        features=np.concatenate([each for part in parts for each in (part, every)]),
        lengths=lengths.ravel().astype(np.int32),
        n_features=subspaces.n_features,
        group_size=subspaces.group_size + 1,
    )
