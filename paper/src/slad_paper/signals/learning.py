"""All steps from the tables to the weights that slad ships, with their card and their records."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import torch

from slad.core.errors import ConfigError, TrainingError
from slad.core.files import written_aside
from slad.core.version import __version__
from slad.detectors.signals.weights import CARD, FILE, KINDS, PARTS, Weights
from slad_paper.datasets.one_class import CASES as TABLE_CASES
from slad_paper.datasets.one_class import one_class_tables
from slad_paper.runner.metrics import measure
from slad_paper.runner.pool import Pool
from slad_paper.runner.progress import Line
from slad_paper.signals import table_inputs
from slad_paper.signals.crossing import Scores, cross_validated
from slad_paper.signals.table_inputs import TRAINING, TableInputs, Task, load, teach
from slad_paper.signals.training import Settings, learned
from slad_paper.studies.table_runs import SHOWN
from slad_paper.studies.tables import check_listing, write_record

COMMAND = "slad learn-signals"
SEED = 0
MADE_OF = "made-of.json"
OF_LEARNING = ("training.py", "crossing.py", "learning.py")
"""Modules that are not used to make signals."""


def make_inputs(folder: Path, workers: int) -> list[Task]:
    """The inputs of all tables in all cases; those that lie in the folder are not made again."""
    _mark(folder)
    wanted = [
        TableInputs(table.name, case, os.fspath(folder.absolute()))
        for table in one_class_tables()
        for case in TRAINING
    ]
    pending = [each for each in wanted if not each.path.exists()]
    line = Line(pending, workers)
    line.begin(len(wanted) - len(pending), "tables")
    with Pool[TableInputs](workers, table_inputs.__name__) as pool:
        for each, outcome, seconds in pool.outcomes([], [[one] for one in pending]):
            if outcome["status"] != "ok":
                raise TrainingError(f"{each}: {outcome['reason']}")
            line.done(each, seconds, failed=False)
    tasks = (load(each) for each in wanted)
    return [task for task in tasks if len(task.labels)]


def _mark(folder: Path) -> None:
    """Write into the folder what its inputs are made of; an error where it holds other ones."""
    made_of = json.dumps({"tables": _tables(), "signals": _signals()}, indent=1)
    mark = folder / MADE_OF
    if not mark.exists():
        if folder.is_dir() and any(folder.iterdir()):
            raise ConfigError(f"{folder} is not empty and has no {MADE_OF}: give another --inputs")
        folder.mkdir(parents=True, exist_ok=True)
        with written_aside(mark) as aside:
            aside.write_text(made_of, "utf-8")
    elif mark.read_text("utf-8") != made_of:
        raise ConfigError(
            f"{folder} holds signals of other tables, or of another version of slad: remove it or "
            "give another --inputs"
        )


def _tables() -> str:
    """A checksum of the checksums of all tables."""
    return hashlib.sha256(
        "".join(table.sha256 for table in one_class_tables()).encode()
    ).hexdigest()


def _signals() -> str:
    """A checksum of the code that makes signals of rows."""
    code = hashlib.sha256()
    for package in ("slad.detectors.signals", "slad.detectors.parts", "slad_paper.signals"):
        for module in sorted(files(package).iterdir(), key=lambda each: each.name):
            if module.name.endswith(".py") and module.name not in OF_LEARNING:
                code.update(module.read_bytes())
    return code.hexdigest()


def cross_validate(tasks: Sequence[Task], workers: int) -> Scores:
    """Scores of every table by weights, and by controls, that never saw its source."""
    every: Scores = {}
    for what, scores in cross_validated(tasks, Settings(), workers=workers):
        print(f"slad: judged {what}", file=sys.stderr, flush=True)
        for label, of_tables in scores.items():
            every.setdefault(label, {}).update(of_tables)
    return every


def write_records(scores: Scores, folder: Path) -> None:
    """A record for each label and each case of the study `tables`."""
    about = {"folds": "by source", "settings": asdict(Settings())}
    for label, of_tables in scores.items():
        for case in TABLE_CASES:
            mine = {table: each for (table, its), each in of_tables.items() if its == case}
            write_record(folder, label, case, mine, about, COMMAND)


def means_over_sources(scores: Scores, tasks: Sequence[Task]) -> dict[str, dict[str, list[float]]]:
    """By label and case."""
    means: dict[str, dict[str, list[float]]] = {}
    for label, of_tables in scores.items():
        for case in TRAINING:
            groups: dict[str, list[list[float]]] = {}
            for task in tasks:
                if task.case == case and (task.table, case) in of_tables:
                    found = measure(task.labels, of_tables[task.table, case])
                    groups.setdefault(task.group, []).append([found[name] for name in SHOWN])
            if not groups:
                continue
            over = np.mean([np.mean(each, axis=0) for each in groups.values()], axis=0)
            means.setdefault(label, {})[case] = [round(float(value), 4) for value in over]
    return means


def learn(tasks: Sequence[Task], workers: int) -> dict[str, Weights]:
    """The weights of every kind, from all tables."""

    def of_kind(kind: str) -> Weights:
        return learned([task for task in tasks if teach(kind, task.case)], Settings(), SEED)

    with ThreadPoolExecutor(workers) as threads:
        return dict(zip(KINDS, threads.map(of_kind, KINDS), strict=True))


def write_weights(
    weights: dict[str, Weights], folder: Path, means: dict[str, dict[str, list[float]]]
) -> None:
    """The file of the weights and its card."""
    content = io.BytesIO()
    arrays = {
        f"{kind}.{part}": getattr(each, part) for kind, each in weights.items() for part in PARTS
    }
    np.savez(content, **arrays)
    folder.mkdir(parents=True, exist_ok=True)
    card = _card(content.getvalue(), means)
    for name, text in ((FILE, content.getvalue()), (CARD, card)):
        with written_aside(folder / name) as aside:
            aside.write_bytes(text)


def _card(content: bytes, means: dict[str, dict[str, list[float]]]) -> bytes:
    tables = one_class_tables()
    card: dict[str, Any] = {
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "made_by": COMMAND,
        "date": date.today().isoformat(),
        "slad_version": __version__,
        "learned_from": {
            "tables": len(tables),
            "sources": len({table.group for table in tables}),
            "collections": "OddBench and OvRBench, published with OutFormer",
            "licences": "the collections state none; their tables come from public repositories "
            "and TabLib. The weights hold no cell of any table.",
            "besides": "errors planted in the same tables, by the rules of planted-errors",
        },
        "settings": asdict(Settings()),
        "metrics": {
            "what": "mean AUC-ROC, AUC-PR and true-positive rate at 1 % false positives over "
            "sources; every table judged by weights that never saw its source",
            "means": means,
        },
        "limits": [
            "tables of numbers, of 2 to 1,024 columns and up to 3,000 training rows",
            "anomalies of at most a tenth of the training rows in the case 'mixed'",
            "no images, no embeddings, no time series",
        ],
    }
    return (json.dumps(card, indent=2) + "\n").encode()


def steps(inputs: Path, out: Path, records: Path, workers: int) -> Iterator[str]:
    """Do everything; says what comes next."""
    if workers < 1:
        raise ConfigError(f"{workers=}: give the number of processes, from 1 up")
    check_listing(records)
    torch.set_num_threads(1)  # kinds and folds have threads of their own, and sums one order
    yield "signals of all tables"
    tasks = make_inputs(inputs, workers)
    yield "judging every table by weights that never saw its source"
    scores = cross_validate(tasks, workers)
    write_records(scores, records)
    yield "learning from all tables"
    write_weights(learn(tasks, workers), out, means_over_sources(scores, tasks))
    yield f"written: {out / FILE} and {out / CARD}"
