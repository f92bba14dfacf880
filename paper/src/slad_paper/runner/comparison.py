"""Studies that compare detectors on datasets: each detector, dataset and seed is a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Unpack

from slad.core.errors import ConfigError
from slad.core.names import unknown
from slad.detectors import registry
from slad_paper.runner import printed
from slad_paper.runner.plan import Contender, Run, runs_of
from slad_paper.runner.study import Choice, Study, possible


@dataclass(frozen=True)
class Quick:
    """How small a quick look is. Its figures are no results."""

    max_rows: int
    seeds: int = 1
    datasets: tuple[str, ...] | None = None
    epochs: int = 2
    """Of every detector that trains for epochs, unless a contender says its own."""


@dataclass(frozen=True)
class Comparison(Study):
    datasets: tuple[str, ...]
    seeds: tuple[int, ...]
    quick: Quick
    split_seed: int | None = None
    """The one split of all seeds; None: every seed splits anew."""
    max_rows: int | None = None
    detectors: tuple[str, ...] | None = None
    """Who takes part, perhaps with parameters, `slad[epochs=20]`, or a group; None: all."""
    contaminations: tuple[float | None, ...] = (None,)
    """Fractions of anomalies among the training rows; None: the plain protocol."""
    of_dataset: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    """Documented exceptions: parameters by (detector, dataset)."""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Contenders that make sense on some of the datasets alone: on which, by label."""

    def plan(self, **choice: Unpack[Choice]) -> tuple[list[Run], list[str]]:
        """The runs, and the datasets that are missing for more."""
        return possible(self.name, self.runs(choice), choice.get("folder"))

    def runs(self, choice: Choice) -> list[Run]:
        """All runs that are chosen. A detector may also be the name of a group of them: "paper"."""
        quick = choice.get("quick", False)
        named = choice.get("detectors") or self.detectors or registry.names()
        contenders = [Contender.parse(name) for name in _members(named)]
        chosen = self._datasets(choice.get("datasets"), quick)
        exceptions = dict(self.of_dataset)
        if quick:
            exceptions = {
                (each.name, dataset): {"epochs": self.quick.epochs}
                for each in contenders
                if hasattr(registry.make(each.name), "epochs")
                for dataset in chosen
            }
        fewer = self.seeds[: self.quick.seeds] if quick else self.seeds
        numbers = tuple(choice.get("seeds") or fewer)
        for seed in numbers:
            if not 0 <= seed < 2**32:
                raise ConfigError(f"{seed=}: give seeds from 0 to {2**32 - 1}")
        runs = runs_of(
            self.name,
            contenders,
            chosen,
            [(seed if self.split_seed is None else self.split_seed, seed) for seed in numbers],
            max_rows=self.quick.max_rows if quick else self.max_rows,
            of_dataset=exceptions,
            contaminations=self.contaminations,
        )
        return [run for run in runs if run.dataset in self.only.get(run.label, chosen)]

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
