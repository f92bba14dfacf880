"""What the experiments have in common: which detectors, datasets and seeds, in full or quick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slad.core.errors import ConfigError, DataError
from slad.core.names import unknown
from slad.detectors import registry
from slad_paper.datasets import data_root, find
from slad_paper.datasets.store import is_here, verify
from slad_paper.runner import printed
from slad_paper.runner.plan import Contender, Run, runs_of


@dataclass(frozen=True)
class Quick:
    """What a quick look leaves out. Its figures are no results."""

    max_rows: int
    seeds: int = 1
    datasets: tuple[str, ...] | None = None
    epochs: int = 2
    """Of every detector that trains for epochs, unless a contender says its own."""


@dataclass(frozen=True)
class Experiment:
    name: str
    datasets: tuple[str, ...]
    seeds: tuple[int, ...]
    quick: Quick
    split_seed: int | None = None
    """The one split of all seeds; None: every seed splits anew."""
    max_rows: int | None = None
    detectors: tuple[str, ...] | None = None
    """Who takes part, perhaps with parameters, `slad[n_neighbors=3]`, or a group; None: all."""
    contaminations: tuple[float | None, ...] = (None,)
    """Shares of anomalies among the training rows; None: the plain protocol."""
    of_dataset: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """Documented exceptions: parameters by (detector, dataset)."""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Contenders that make sense on some of the datasets alone: on which, by label."""

    def plan(
        self,
        *,
        detectors: Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
        seeds: Sequence[int] | None = None,
        quick: bool = False,
    ) -> tuple[list[Run], list[str]]:
        """The runs, and the datasets that are not at hand.

        A detector may also be the name of a group of them: "paper".
        """
        named = detectors or self.detectors or registry.names()
        contenders = [Contender.parse(name) for name in _members(named)]
        exceptions = dict(self.of_dataset)
        if quick:
            exceptions = {
                (each.name, dataset): {"epochs": self.quick.epochs}
                for each in contenders
                if hasattr(registry.make(each.name), "epochs")
                for dataset in self._datasets(datasets, quick)
            }
        chosen = self._datasets(datasets, quick)
        numbers = tuple(seeds or (self.seeds[: self.quick.seeds] if quick else self.seeds))
        for seed in numbers:
            if not 0 <= seed < 2**32:
                raise ConfigError(f"{seed=}: give seeds from 0 to {2**32 - 1}")
        pairs = [(seed if self.split_seed is None else self.split_seed, seed) for seed in numbers]
        at_hand = _at_hand(chosen)
        missing = [name for name in chosen if name not in at_hand]
        runs = runs_of(
            self.name,
            contenders,
            at_hand,
            pairs,
            max_rows=self.quick.max_rows if quick else self.max_rows,
            of_dataset=exceptions,
            contaminations=self.contaminations,
        )
        return [run for run in runs if run.dataset in self.only.get(run.label, chosen)], missing

    def folder(self, quick: bool) -> Path:
        """Where records go unless told."""
        return Path("results") / (f"{self.name}-quick" if quick else self.name)

    def _datasets(self, given: Iterable[str] | None, quick: bool) -> list[str]:
        if given is None:
            return list((self.quick.datasets if quick else None) or self.datasets)
        for name in (chosen := list(given)):
            if name not in self.datasets:
                raise unknown(f"dataset of {self.name}", name, self.datasets)
        return chosen


def _members(names: Iterable[str]) -> list[str]:
    """The names with groups replaced by their members, each once."""
    return list(dict.fromkeys(each for name in names for each in printed.group(name) or (name,)))


def _at_hand(chosen: Sequence[str]) -> list[str]:
    """The datasets whose files are there; a file that is not the right one is an error."""
    root = data_root()
    found = [name for name in chosen if is_here(find(name), root)]
    if not found:
        raise DataError(
            f"none of the {len(chosen)} datasets is at hand under {root}: set SLAD_DATA to their "
            f"folder, or fetch them, as with: slad data fetch {chosen[0]}"
        )
    for name in found:
        verify(find(name), root)
    return found
