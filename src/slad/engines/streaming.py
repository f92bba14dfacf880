"""Scoring files of any size on one machine, in constant memory, one output file per input file.

An output file is written aside and then renamed. A job that was killed resumes with the first input
file that has no output file: no row is lost, and no row is written twice.
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
"""Batches that are read ahead."""
PIECE = 8_192
"""Rows that a core scores at a time: smaller pieces balance the cores, larger ones save calls."""
Read = TypeVar("Read")
JOB = "_job.json"
"""Describes the job of a folder. Readers of Parquet folders skip names that begin with "_"."""


@dataclass(frozen=True)
class Streamed:
    """One scored input file, and its output file."""

    source: Path
    output: Path
    rows: int
    flagged: int
    skipped: bool = False
    """Whether an earlier start of the job had scored it."""

    @property
    def part(self) -> Path:
        """The former name of `output`."""
        return self.output


def stream_scores(
    scorer: BatchScorer,
    files: Sequence[Path],
    out: Path,
    *,
    told: Callable[[Streamed], None] = lambda each: None,
) -> list[Streamed]:
    """Score every file into an output file of its own under `out`.

    `told` is called with each file when it is done.
    """
    outputs = _outputs(files, out)
    out.mkdir(parents=True, exist_ok=True)
    with held_alone(out, "give another folder"):
        _begin(scorer, files, out)
        done = []
        for source, output in zip(files, outputs, strict=True):
            each = _known(source, output) if output.exists() else _score(scorer, source, output)
            done.append(each)
            told(each)
    return done


def _outputs(files: Sequence[Path], out: Path) -> list[Path]:
    """A Parquet file for each input, at its path relative to the folder that all inputs share."""
    absolute = [file.absolute() for file in files]
    root = Path(os.path.commonpath([file.parent for file in absolute]))
    outputs = []
    for file in absolute:
        plain = Path(file.stem) if of_name(file)[1] else file
        outputs.append(out / file.relative_to(root).with_name(f"{plain.stem}.parquet"))
    if len(set(outputs)) < len(outputs):
        twice = next(path for path in outputs if outputs.count(path) > 1)
        raise ConfigError(f"two input files would both be scored into {twice}: rename one")
    for file, path in zip(absolute, outputs, strict=True):
        if path.absolute() == file:
            raise ConfigError(f"{out} is the folder of the input: use another one for the scores")
    return outputs


def _begin(scorer: BatchScorer, files: Sequence[Path], out: Path) -> None:
    """Write the job's description and remove unfinished files; refuse the folder of another job."""
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
                f"{out} holds scores that were made with another {changed[0]}: use another folder"
            )
        for name, size in before["inputs"].items():
            if job["inputs"].get(name, size) != size:
                raise ConfigError(
                    f"{name} has changed since it was scored into {out}: delete that folder"
                )
        job["inputs"] = before["inputs"] | job["inputs"]
    elif any(out.glob("**/*.parquet")):
        raise ConfigError(f"{out} holds Parquet files of something else: use another folder")
    for unfinished in out.rglob(".*.parquet.*"):  # the job was killed before it renamed the file
        unfinished.unlink()
    with written_aside(path) as aside:
        aside.write_text(json.dumps(job, indent=1) + "\n", "utf-8")


def _known(source: Path, output: Path) -> Streamed:
    about = parquet.ParquetFile(output)
    flagged = (about.metadata.metadata or {}).get(b"slad.flagged", b"0")
    return Streamed(source, output, about.metadata.num_rows, int(flagged), skipped=True)


def _score(scorer: BatchScorer, source: Path, output: Path) -> Streamed:
    output.parent.mkdir(parents=True, exist_ok=True)
    rows = flagged = 0
    with written_aside(output) as aside, ExitStack() as opened:
        writer: parquet.ParquetWriter | None = None
        for scored in scores(scorer, source):
            if writer is None:
                writer = opened.enter_context(parquet.ParquetWriter(aside, scored.schema))
            writer.write_batch(scored)
            rows += scored.num_rows
            flagged += scored.column("decision").to_pylist().count("strange")
        if writer is None:
            raise DataError(f"{source} has no rows")
        writer.add_key_value_metadata({"slad.flagged": str(flagged)})
    return Streamed(source, output, rows, flagged)


def scores(scorer: BatchScorer, source: Path) -> Iterator[pa.RecordBatch]:
    """The scores of a file, batch by batch, streamed if its format can be and else read whole."""
    stream = file_format(source).stream
    if stream is None or of_name(source)[1]:
        rows = scorer.model.read(source).frame.to_batches(max_chunksize=ROWS_AT_ONCE)
        yield from in_parallel(scorer.score_read, scorer.is_shared, iter(rows))
    else:
        batches = stream(source, ROWS_AT_ONCE, scorer.columns)
        yield from in_parallel(scorer, scorer.is_shared, ahead(batches))


def in_parallel(
    score: Callable[[pa.RecordBatch], pa.RecordBatch],
    shared: bool,
    source: Iterator[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """The scores of every batch in order, its pieces on all cores if threads may share `score`.

    Each core works on a piece of its own. If all cores shared every matrix product, they would
    wait for each other after each: on a busy machine most of the time.
    """
    workers = torch.get_num_threads()
    if workers == 1 or not shared:
        yield from map(score, source)
        return
    waiting: deque[list[Future[pa.RecordBatch]]] = deque()
    try:
        with ThreadPoolExecutor(workers, initializer=torch.set_num_threads, initargs=(1,)) as pool:
            for batch in source:
                waiting.append([pool.submit(score, piece) for piece in pieces(batch)])
                if len(waiting) > AHEAD:
                    yield joined(waiting.popleft())
            while waiting:
                yield joined(waiting.popleft())
    finally:
        torch.set_num_threads(workers)  # for later threads: each thread has a setting of its own


def pieces(batch: pa.RecordBatch) -> list[pa.RecordBatch]:
    return [batch.slice(start, PIECE) for start in range(0, max(len(batch), 1), PIECE)]


def joined(parts: Sequence[Future[pa.RecordBatch]]) -> pa.RecordBatch:
    """One batch of all pieces: it becomes one row group."""
    table = pa.Table.from_batches([part.result() for part in parts]).combine_chunks()
    return table.to_batches()[0] if len(table) else parts[0].result()


def ahead(source: Iterator[Read]) -> Iterator[Read]:
    """The same batches, read ahead by another thread."""
    with ThreadPoolExecutor(1) as reader:
        waiting = [reader.submit(next, source, None) for _ in range(AHEAD)]
        while (batch := waiting.pop(0).result()) is not None:
            waiting.append(reader.submit(next, source, None))
            yield batch
