"""Scores of files of any size on one machine, in constant memory, one part an input file.

A part is written aside and renamed, so a job that was killed goes on with the first file that has
none: no row is lost, and none is there twice.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import torch
from pyarrow import parquet

from slad.core.errors import ConfigError, DataError
from slad.core.files import written_aside
from slad.core.locks import held_alone
from slad.engines.scorer import BatchScorer
from slad.tables.files import file_format
from slad.tables.formats import of_name

ROWS_AT_ONCE = 65_536
AHEAD = 2
"""Batches that are read while others are scored."""
PIECE = 8_192
"""Rows that a core scores at a time: many pieces keep all cores busy, few cost few calls."""
Read = TypeVar("Read")
JOB = "_job.json"
"""What the parts in a folder were made with; readers of Parquet folders skip such names."""


@dataclass(frozen=True)
class Streamed:
    """What came of one input file."""

    source: Path
    part: Path
    rows: int
    flagged: int
    skipped: bool = False
    """Whether it had been scored before."""


def stream_scores(
    scorer: BatchScorer,
    files: Sequence[Path],
    out: Path,
    *,
    told: Callable[[Streamed], None] = lambda each: None,
) -> list[Streamed]:
    """Score every file into a part of its own under `out`; `told` hears of each as it is done."""
    parts = _parts(files, out)
    out.mkdir(parents=True, exist_ok=True)
    with held_alone(out, "give another folder"):
        _begin(scorer, files, out)
        done = []
        for source, part in zip(files, parts, strict=True):
            each = _known(source, part) if part.exists() else _score(scorer, source, part)
            done.append(each)
            told(each)
    return done


def _parts(files: Sequence[Path], out: Path) -> list[Path]:
    """A Parquet file for each input, at its place below the folder that all inputs share."""
    absolute = [file.absolute() for file in files]
    root = Path(os.path.commonpath([file.parent for file in absolute]))
    parts = []
    for file in absolute:
        plain = Path(file.stem) if of_name(file)[1] else file
        parts.append(out / file.relative_to(root).with_name(f"{plain.stem}.parquet"))
    if len(set(parts)) < len(parts):
        twice = next(part for part in parts if parts.count(part) > 1)
        raise ConfigError(f"two input files would both be scored into {twice}: rename one")
    for file, part in zip(absolute, parts, strict=True):
        if part.absolute() == file:
            raise ConfigError(f"{out} is the folder of the input: give another one for the scores")
    return parts


def _begin(scorer: BatchScorer, files: Sequence[Path], out: Path) -> None:
    """Note what this job is; another job's folder is refused, and its own is cleared of halves."""
    job: dict[str, Any] = {
        "scorer": scorer.fingerprint(),
        "inputs": {str(file): file.stat().st_size for file in files},
    }
    path = out / JOB
    if path.exists():
        before = json.loads(path.read_text("utf-8"))
        changed = [name for name, value in job["scorer"].items() if before["scorer"][name] != value]
        if changed:
            raise ConfigError(
                f"{out} holds scores that were made with another {changed[0]}: give another folder"
            )
        for name, size in before["inputs"].items():
            if job["inputs"].get(name, size) != size:
                raise ConfigError(f"{name} has changed since it was scored into {out}: delete that")
        job["inputs"] = before["inputs"] | job["inputs"]
    elif any(out.glob("**/*.parquet")):
        raise ConfigError(f"{out} holds Parquet files of something else: give another folder")
    for half in out.rglob(".*.parquet.*"):  # a kill came between writing and renaming
        half.unlink()
    with written_aside(path) as aside:
        aside.write_text(json.dumps(job, indent=1) + "\n", "utf-8")


def _known(source: Path, part: Path) -> Streamed:
    about = parquet.ParquetFile(part)
    flagged = (about.metadata.metadata or {}).get(b"slad.flagged", b"0")
    return Streamed(source, part, about.metadata.num_rows, int(flagged), skipped=True)


def _score(scorer: BatchScorer, source: Path, part: Path) -> Streamed:
    part.parent.mkdir(parents=True, exist_ok=True)
    rows = flagged = 0
    with written_aside(part) as aside, ExitStack() as opened:
        writer: parquet.ParquetWriter | None = None
        for scored in scores(scorer, ahead(batches(source, scorer))):
            if writer is None:
                writer = opened.enter_context(parquet.ParquetWriter(aside, scored.schema))
            writer.write_batch(scored)
            rows += scored.num_rows
            flagged += scored.column("decision").to_pylist().count("strange")
        if writer is None:
            raise DataError(f"{source} has no rows")
        writer.add_key_value_metadata({"slad.flagged": str(flagged)})
    return Streamed(source, part, rows, flagged)


def scores(scorer: BatchScorer, source: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What the scorer says of every batch, in their order, pieces of them on all cores.

    A piece on each core, not every product on all of them: threads that wait for each other after
    each product lose some time on a quiet machine, and most of it on a busy one.
    """
    workers = torch.get_num_threads()
    if workers == 1 or not scorer.is_shared:
        yield from map(scorer, source)
        return
    waiting: deque[list[Future[pa.RecordBatch]]] = deque()
    try:
        with ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            for batch in source:
                waiting.append([pool.submit(scorer, piece) for piece in pieces(batch)])
                if len(waiting) > AHEAD:
                    yield joined(waiting.popleft())
            while waiting:
                yield joined(waiting.popleft())
    finally:
        torch.set_num_threads(workers)  # of threads to come: what a thread was told is its own


def pieces(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
    return [batch.slice(start, PIECE) for start in range(0, max(len(batch), 1), PIECE)]


def joined(parts: Sequence[Future[pa.RecordBatch]]) -> pa.RecordBatch:
    """One batch again, for it becomes one row group."""
    table = pa.Table.from_batches([part.result() for part in parts]).combine_chunks()
    return table.to_batches()[0] if len(table) else parts[0].result()


def batches(source: Path, scorer: BatchScorer) -> Iterator[pa.RecordBatch]:
    """The rows of a file in their order, streamed where its format can be."""
    stream = file_format(source).stream
    if stream is None or of_name(source)[1]:
        yield from scorer.model.read(source).frame.to_batches(max_chunksize=ROWS_AT_ONCE)
    else:
        yield from stream(source, ROWS_AT_ONCE, scorer.columns)


def ahead(source: Iterator[Read]) -> Iterator[Read]:
    """The same batches, read by another thread while the last one is worked on."""
    with ThreadPoolExecutor(1) as reader:
        waiting = [reader.submit(next, source, None) for _ in range(AHEAD)]
        while (batch := waiting.pop(0).result()) is not None:
            waiting.append(reader.submit(next, source, None))
            yield batch
