"""`TableDetector` fitted on Parquet files of any size, by one process or by several.

    fit_files(TableDetector("slad"), files)
    fit_files(TableDetector("slad"), files, processes=Ranks("cpu"))  # under torchrun

Calibration is that of a split. What is shown of the columns in reports is that of the held-out
rows, which are a random part of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from slad.core.errors import ConfigError, DataError
from slad.core.seeds import Streams
from slad.core.state import State
from slad.core.version import __version__
from slad.decisions import Fold
from slad.decisions.folds import held_rows
from slad.detectors.slad.estimator import SLAD
from slad.detectors.slad.streamed import Prepared, fit_stream, samples_of_epoch
from slad.engines.checkpoint import Checkpoint, resumed
from slad.engines.learned import Asked, Learned, learn
from slad.engines.looks import Shard
from slad.engines.ranks import Processes
from slad.engines.shards import ParquetTable, deal
from slad.engines.shuffled import BUFFER_BYTES, BUFFER_ROWS, EpochStream, ShuffledRows
from slad.learning import Callback, Stream, StreamSchedule
from slad.model import TableDetector
from slad.model.asked import check_reject, not_learned
from slad.model.member import Member
from slad.model.table_detector import LEAST_ROWS
from slad.tables import Loaded

ONE = Processes()


@dataclass(frozen=True)
class Course:
    """How training goes: its rows, those of this process in an epoch, and where it starts."""

    n_rows: int
    quota: int
    order: Stream
    callbacks: Sequence[Callback]
    sentence: str


def fit_files(
    model: TableDetector,
    files: Sequence[Path],
    *,
    processes: Processes = ONE,
    checkpoint: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> TableDetector:
    """Fit on all rows of the files, in constant memory; every process calls this."""
    table = ParquetTable.open(files)
    detector = model.begin()
    if not isinstance(detector, SLAD):
        raise ConfigError(f"{model.detector} cannot learn from a stream of rows: slad can")
    _check(model, table, detector)
    shard = Shard(
        table,
        deal(table.groups, processes.world)[processes.rank],
        held_rows(table.n_rows, model.seed_),
    )
    model.make_rule().check(len(shard.held), own_rows=False)
    asked = Asked(not_learned(model, table.schema.empty_table()), model.keep, model.categories)
    course = _planned_course(model, detector, shard, processes, checkpoint)
    say(f"looking at {table.n_rows:,} rows")
    learned = learn(shard, asked, detector, processes)
    say(course.sentence)
    _train(model, detector, shard, learned, course)
    processes.part_company()
    _adopt(model, detector, table, learned)
    return model


def _check(model: TableDetector, table: ParquetTable, detector: SLAD) -> None:
    if table.n_rows < LEAST_ROWS:
        raise DataError(
            f"{table.name} has {table.n_rows} rows; {LEAST_ROWS} are the least to learn from"
        )
    if model.calibration == "cross" or model.own_rows:
        raise ConfigError(
            "a streamed fit holds out a part of the rows: every row in turn, as calibration="
            "'cross' and own_rows ask, would need several fits of all of them"
        )
    check_reject(model, detector, judges=1)


def _planned_course(
    model: TableDetector,
    detector: SLAD,
    shard: Shard,
    processes: Processes,
    checkpoint: Path | None,
) -> Course:
    """How training will go. The first process alone reads the checkpoint: others may be elsewhere,
    and another job's is refused before any row is looked at."""
    n_rows = shard.table.n_rows - len(shard.held)
    schedule = StreamSchedule(samples_of_epoch(detector, n_rows), detector.batch_size, processes)
    sentence = f"{detector.epochs} epochs of {schedule.steps_per_epoch:,} steps, {n_rows:,} rows"
    if checkpoint is None:
        return Course(n_rows, schedule.quota, Stream(processes), [], sentence)
    job = job_of(model, shard.table, processes)
    own = resumed(checkpoint, job) if processes.rank == 0 else None
    state = processes.gather(own or State({}, {}))[0]
    done = state[0].get("step", 0) // schedule.steps_per_epoch
    if state[0]:
        sentence += f"; going on from epoch {done + 1}, where {checkpoint} left off"
    return Course(
        n_rows,
        schedule.quota,
        Stream(processes, state if state[0] else None),
        [Checkpoint(checkpoint, job, processes, done)],
        sentence,
    )


def _train(
    model: TableDetector, detector: SLAD, shard: Shard, learned: Learned, course: Course
) -> None:
    share = course.order.share
    rows = ShuffledRows(
        shard,
        learned.columns,
        learned.numbers,
        Streams(model.seed_, share.rank),
        capacity=min(BUFFER_ROWS, max(1, BUFFER_BYTES // (4 * learned.encoder.width))),
    )
    if not rows.n_rows:
        raise DataError(f"rank {share.rank} of {share.world} has no rows to learn from")
    fit_stream(
        detector,
        Prepared(course.n_rows, learned.scaler, learned.weights),
        EpochStream(rows, course.quota),
        learned.encoder.transform(learned.held),
        order=course.order,
        callbacks=course.callbacks,
    )


def job_of(model: TableDetector, table: ParquetTable, processes: Processes) -> dict[str, Any]:
    """What the course of a training depends on."""
    return {
        "slad": __version__,
        "files": {str(file): file.stat().st_size for file in table.files},
        "detector": model.detector,
        "parameters": dict(model.parameters or {}),
        "seed": model.seed_,
        "columns": {
            name: getattr(model, name)
            if isinstance(getattr(model, name), str | None)
            else list(getattr(model, name))
            for name in ("drop", "keep", "categories", "id", "label")
        },
        "processes": processes.world,
    }


def _adopt(model: TableDetector, detector: SLAD, table: ParquetTable, learned: Learned) -> None:
    """Calibrate on the held-out rows, which stand for the table from here on."""
    loaded = Loaded(learned.held, table.name, None, (*table.notes, *learned.notes))
    everything = np.arange(learned.held.num_rows)
    folds = [Fold(train=everything[:0], held=everything)]
    model.adopt(loaded, learned.plan, [Member(learned.encoder, detector)], folds)
    model.training_["rows"] = table.n_rows
    model.own_ = None
