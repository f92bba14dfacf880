"""Reading the JSON records of runs; an error names the damaged or foreign file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from slad.core.errors import DataError
from slad_paper.runner.packing import packed
from slad_paper.runner.printed import METRICS
from slad_paper.runner.records import FORMAT, PEER, REFERENCE, named_as_today

BESIDE = (REFERENCE, PEER)
"""Files beside the records of runs."""

Seeds = tuple[int, int | None]
"""Split seed and model seed; the latter is None for a deterministic detector."""


@dataclass(frozen=True)
class Record:
    """One run: one detector on one split of one dataset with one seed."""

    path: Path
    experiment: str
    detector: str
    dataset: str
    seeds: Seeds
    metrics: Mapping[str, float] | None
    """None where the run failed or was refused."""
    reason: str | None
    data: tuple[str | None, int | None]
    """Checksum of the dataset's file, and the limit on the rows used."""
    note: str = ""
    """A remark on the dataset."""
    refused: bool = False
    """Whether it was not started because it could not fit into memory."""
    contamination: float = 0.0
    """The fraction of anomalies among the training rows."""


def read(folder: Path) -> list[Record]:
    """All records below a folder, ordered by detector, dataset and seeds."""
    if not folder.is_dir():
        raise DataError(f"{folder} is not a folder: give one with records (*.json)")
    paths = [path for path in sorted(folder.rglob("*.json")) if path.name not in BESIDE]
    records = [_read_one(path) for path in paths]
    lines = packed(folder).items()
    records += [_of(path, content) for path, content in lines if path not in paths]
    if not records:
        raise DataError(f"{folder} has no records (*.json): run the experiment first")
    return ordered(records)


def ordered(records: Iterable[Record]) -> list[Record]:
    """Records in the order of reports; two of the same run are an error."""
    seen: dict[tuple[Any, ...], Record] = {}
    for record in records:
        made = (record.dataset, record.contamination, record.seeds)
        run = (record.experiment, record.detector, *made)
        if run in seen:
            raise DataError(
                f"{seen[run].path} and {record.path} record the same run "
                f"({record.detector} on {record.dataset}): remove one of them"
            )
        seen[run] = record
    return sorted(seen.values(), key=_place)


def detectors(records: Iterable[Record]) -> list[str]:
    return sorted({record.detector for record in records})


def datasets(records: Iterable[Record]) -> list[str]:
    """Names in natural order: 2_x before 10_y."""
    return sorted({record.dataset for record in records}, key=natural)


def natural(name: str) -> tuple[tuple[int, str], ...]:
    """A sort key under which numbers inside names count as numbers.

    >>> sorted(["10_cover", "2_annthyroid", "thyroid"], key=natural)
    ['2_annthyroid', '10_cover', 'thyroid']
    """
    parts = re.split(r"(\d+)", name)
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in parts)


def _read_one(path: Path) -> Record:
    try:
        content = json.loads(path.read_text("utf-8"))
    except (ValueError, OSError) as error:
        raise DataError(f"{path} cannot be read as JSON ({error}): remove it, run again") from error
    return _of(path, named_as_today(content))


def _of(path: Path, content: Any) -> Record:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DataError(
            f"{path} is not a record of format {FORMAT}: give the folder of one experiment, "
            "with nothing else in it"
        )
    try:
        return _record(path, content)
    except (KeyError, TypeError, ValueError) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise DataError(f"{path} is a damaged record ({what}): remove it, run again") from error


def _record(path: Path, content: dict[str, Any]) -> Record:
    status = _one_of(content, "status", ("ok", "failed", "refused"))
    return Record(
        path=path,
        experiment=_typed(content, "experiment", str),
        detector=_typed(content, "detector", str),
        dataset=_typed(content, "dataset", str),
        seeds=(_typed(content, "split_seed", int), _typed(content, "model_seed", int, None)),
        metrics=_metrics(_typed(content, "metrics", dict)) if status == "ok" else None,
        reason=_typed(content, "reason", str) if status != "ok" else None,
        data=(
            _typed({"sha256": None} | content, "sha256", str, None),  # unknown where a run failed
            _typed(content, "max_rows", int, None),
        ),
        note=_typed({"note": ""} | content, "note", str),
        refused=status == "refused",
        contamination=_typed({"contamination": 0.0} | content, "contamination", float),
    )


def _metrics(values: dict[str, Any]) -> dict[str, float]:
    for name in METRICS:
        value = _typed(values, name, float, int)
        if not (isfinite(value) and 0 <= value <= 1):
            raise ValueError(f"{name}={value!r} is not between 0 and 1")
    return {name: float(value) for name, value in values.items() if value is not None}


def _one_of(content: dict[str, Any], name: str, allowed: Sequence[str]) -> str:
    if content[name] not in allowed:
        raise ValueError(f"{name}={content[name]!r} is not one of {', '.join(allowed)}")
    return str(content[name])


def _typed(content: dict[str, Any], name: str, *kinds: type | None) -> Any:
    """A field of the record; an error if it is of another kind than those named."""
    value = content[name]
    if value is None and None in kinds:
        return value
    if isinstance(value, bool) or not isinstance(value, tuple(kind for kind in kinds if kind)):
        raise TypeError(f"{name}={value!r} is of the wrong kind")
    return value


def _place(record: Record) -> tuple[Any, ...]:
    seeds = seeds_place(record.seeds)
    dataset = natural(record.dataset)
    return (record.experiment, record.detector, dataset, record.contamination, seeds)


def seeds_place(seeds: Seeds) -> tuple[int, int]:
    """A sort key; a deterministic detector has no model seed."""
    split, model = seeds
    return split, -1 if model is None else model
