"""`TableDetector` fitted on Parquet files of any size, by one process or by several.

    fit_files(TableDetector("slad"), files)
    fit_files(TableDetector("slad"), files, processes=Ranks("cpu"))  # under torchrun

Calibration is "split". Reports show the columns of the held-out rows, which are a random sample of
the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from slad.core.errors import ConfigError, DataError
from slad.core.seeds import Streams
from slad.core.state import State
from slad.core.version import __version__
from slad.decisions import Fold
from slad.decisions.folds import held_rows
from slad.detectors import Capability, Detector, require
from slad.detectors.base import FitsStreams
from slad.detectors.streaming import Prepared, StreamedFit
from slad.engines.checkpoint import Checkpoint, read_checkpoint
from slad.engines.passes import Shard
from slad.engines.preparation import ColumnChoices, PreparedTable, prepare_table
from slad.engines.ranks import Processes
from slad.engines.shards import ParquetTable, deal
from slad.engines.shuffled import BUFFER_BYTES, BUFFER_ROWS, EpochStream, ShuffledRows
from slad.learning import Callback, Stream, StreamSchedule
from slad.model import TableDetector
from slad.model.fitting import LEAST_ROWS
from slad.model.fold_model import FoldModel
from slad.model.validation import check_reject, columns_left_out
from slad.tables import Loaded

ALONE = Processes()


@dataclass(frozen=True)
class TrainingPlan:
    """How long training takes, and where it starts."""

    n_rows: int
    quota: int
    """Rows of this process in an epoch."""
    order: Stream
    callbacks: Sequence[Callback]
    sentence: str


def fit_files(
    model: TableDetector,
    files: Sequence[Path],
    *,
    processes: Processes = ALONE,
    checkpoint: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> TableDetector:
    """Fit on all rows of the files, in constant memory. Every process of the job calls this."""
    table = ParquetTable.open(files)
    detector = model.begin()
    require(Capability.STREAM_FIT, detector, model.detector)
    if processes.world > 1:
        require(Capability.SHARED_FIT, detector, model.detector)
    _check(model, table, detector)
    shard = Shard(
        table,
        deal(table.groups, processes.world)[processes.rank],
        held_rows(table.n_rows, model.seed_),
    )
    model.make_rule().check(len(shard.held), own_rows=False)
    left_out = columns_left_out(model, table.schema.empty_table())
    choices = ColumnChoices(left_out, model.keep, model.categories)
    streamed = cast("FitsStreams", detector).streamed()
    plan = _plan(model, streamed, shard, processes, checkpoint)
    say(f"preparing {table.n_rows:,} rows")
    prepared = prepare_table(shard, choices, streamed, processes)
    say(plan.sentence)
    _train(model, streamed, shard, prepared, plan)
    processes.close()
    _calibrate(model, detector, table, prepared)
    return model


def _check(model: TableDetector, table: ParquetTable, detector: Detector) -> None:
    if table.n_rows < LEAST_ROWS:
        raise DataError(f"{table.name} has {table.n_rows} rows; at least {LEAST_ROWS} are needed")
    if model.calibration == "cross" or model.own_rows:
        raise ConfigError(
            "a streamed fit holds out one part of the rows, but calibration='cross' and own_rows "
            "hold out every row in turn, which would take several fits: leave them out"
        )
    check_reject(model, detector, scores_per_row=1)


def _plan(
    model: TableDetector,
    streamed: StreamedFit,
    shard: Shard,
    processes: Processes,
    checkpoint: Path | None,
) -> TrainingPlan:
    """The plan of the training, from a checkpoint on if there is one.

    Only the first process reads the checkpoint, since others may run on other machines. Another
    job's checkpoint is refused before any pass over the rows.
    """
    n_rows = shard.table.n_rows - len(shard.held)
    schedule = StreamSchedule(streamed.samples_of_epoch(n_rows), streamed.batch_size, processes)
    sentence = f"{streamed.epochs} epochs of {schedule.steps_per_epoch:,} steps, {n_rows:,} rows"
    if checkpoint is None:
        return TrainingPlan(n_rows, schedule.quota, Stream(processes), [], sentence)
    job = job_description(model, shard.table, processes)
    own = read_checkpoint(checkpoint, job) if processes.rank == 0 else None
    state = processes.gather(own or State({}, {}))[0]
    done = state.values.get("step", 0) // schedule.steps_per_epoch
    if state.values:
        sentence += f"; resuming from epoch {done + 1} with {checkpoint}"
    return TrainingPlan(
        n_rows,
        schedule.quota,
        Stream(processes, state if state.values else None),
        [Checkpoint(checkpoint, job, processes, done)],
        sentence,
    )


def _train(
    model: TableDetector,
    streamed: StreamedFit,
    shard: Shard,
    prepared: PreparedTable,
    plan: TrainingPlan,
) -> None:
    share = plan.order.share
    rows = ShuffledRows(
        shard,
        prepared.columns,
        prepared.numbers,
        Streams(model.seed_, share.rank),
        capacity=min(BUFFER_ROWS, max(1, BUFFER_BYTES // (4 * prepared.encoder.width))),
    )
    if not rows.n_rows:
        raise DataError(
            f"rank {share.rank} of {share.world} has no training rows: start fewer processes"
        )
    streamed.fit(
        Prepared(plan.n_rows, prepared.scaler, prepared.weights),
        EpochStream(rows, plan.quota),
        prepared.encoder.transform(prepared.held),
        order=plan.order,
        callbacks=plan.callbacks,
    )


def job_description(
    model: TableDetector, table: ParquetTable, processes: Processes
) -> dict[str, Any]:
    """All that a training depends on, to compare with that of a checkpoint."""
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


def _calibrate(
    model: TableDetector, detector: Detector, table: ParquetTable, prepared: PreparedTable
) -> None:
    """Make the model fitted, with the held-out rows in place of the table."""
    loaded = Loaded(prepared.held, table.name, None, (*table.notes, *prepared.notes))
    everything = np.arange(prepared.held.num_rows)
    folds = [Fold(train=everything[:0], held=everything)]
    model.adopt(loaded, prepared.plan, [FoldModel(prepared.encoder, detector)], folds)
    model.training_["rows"] = table.n_rows
    model.own_ = None
