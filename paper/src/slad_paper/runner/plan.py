"""A run: one detector, one dataset, one split, one model seed. A plan is a list of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from slad.core.errors import ConfigError
from slad.detectors import Detector, registry

OF_THE_MACHINE = ("device", "verbose")
"""Parameters that say where and how loudly to run, not what."""


@dataclass(frozen=True)
class Run:
    experiment: str
    detector: str
    """Its name in the registry."""
    dataset: str
    split_seed: int
    model_seed: int | None
    """None for a detector that draws no random numbers."""
    label: str = ""
    """The detector's name in tables; differs from `detector` where parameters were given."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """What differs from the detector's own defaults."""
    max_rows: int | None = None
    contamination: float | None = None
    """The fraction of anomalies among the training rows, by the protocol of the paper's appendix;
    None: the plain protocol, in which all anomalies are test rows."""

    @property
    def datasets(self) -> tuple[str, ...]:
        return (self.dataset,)

    @property
    def packages(self) -> tuple[str, ...]:
        return ()

    def __str__(self) -> str:
        return f"{self.label or self.detector} on {self.dataset}"

    def path(self, folder: Path) -> Path:
        """Where the record of this run is, under the folder of its study."""
        model = "" if self.model_seed is None else f"-model{self.model_seed}"
        mixed = "" if self.contamination is None else f"-anomalies{self.contamination:g}"
        name = f"{self.dataset}{mixed}-split{self.split_seed}{model}.json"
        return folder / (self.label or self.detector) / name

    def make(self, device: str = "auto") -> Detector:
        """The detector, unfitted."""
        seed = {} if self.model_seed is None else {"random_state": self.model_seed}
        detector = registry.make(self.detector, **(seed | dict(self.parameters)))
        if hasattr(detector, "device"):
            detector.set_params(device=device)
        return detector

    def identity(self) -> dict[str, Any]:
        """What a record of this run must agree with; the record begins with it."""
        return {
            "experiment": self.experiment,
            "detector": self.label or self.detector,
            "parameters": {
                name: value
                for name, value in self.make("cpu")._plain_parameters().items()
                if name not in OF_THE_MACHINE
            },
            "dataset": self.dataset,
            "split_seed": self.split_seed,
            "model_seed": self.model_seed,
            "max_rows": self.max_rows,
        } | ({} if self.contamination is None else {"contamination": self.contamination})


@dataclass(frozen=True)
class Contender:
    """A detector of a comparison: a name of the registry, perhaps with parameters of its own."""

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Its name in tables, which `parse` reads back."""
        given = ",".join(f"{key}={_text(value)}" for key, value in self.parameters.items())
        return f"{self.name}[{given}]" if given else self.name

    @classmethod
    def parse(cls, text: str) -> Contender:
        """`knn-5`, or `slad[epochs=20,loss=kl]`.

        >>> Contender.parse("slad[epochs=20,loss=kl]")
        Contender(name='slad', parameters={'epochs': 20, 'loss': 'kl'})
        """
        name, bracket, rest = text.partition("[")
        if bracket and not rest.endswith("]"):
            raise ConfigError(f"{text!r} does not end with ']': write NAME[parameter=value,...]")
        parameters = {}
        for pair in filter(None, rest.removesuffix("]").split(",")):
            key, equals, value = pair.partition("=")
            if not equals:
                raise ConfigError(f"{pair!r} in {text!r} is not parameter=value")
            parameters[key.strip()] = _value(value.strip())
        contender = cls(name, parameters)
        registry.make(name, **parameters)  # an unknown name or parameter is said before any work
        return contender


def runs_of(
    experiment: str,
    contenders: Iterable[Contender],
    datasets: Sequence[str],
    seeds: Sequence[tuple[int, int]],
    *,
    max_rows: int | None = None,
    of_dataset: Mapping[tuple[str, str], Mapping[str, Any]] | None = None,
    contaminations: Sequence[float | None] = (None,),
) -> list[Run]:
    """Every contender on every dataset with every (split seed, model seed) and contamination.

    A deterministic detector runs once a split. `of_dataset` holds documented exceptions:
    parameters by (detector, dataset).
    """
    runs = []
    for contender in contenders:
        fixed = registry.is_deterministic(contender.name)
        pairs = dict.fromkeys((split, None if fixed else model) for split, model in seeds)
        for dataset in datasets:
            exception = (of_dataset or {}).get((contender.name, dataset), {})
            runs += [
                Run(
                    experiment,
                    contender.name,
                    dataset,
                    split,
                    model,
                    contender.label,
                    dict(exception) | dict(contender.parameters),
                    max_rows,
                    contamination,
                )
                for contamination in contaminations
                for split, model in pairs
            ]
    return runs


def _value(text: str) -> Any:
    """A number, true, false or null where it reads as one, else the text itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
