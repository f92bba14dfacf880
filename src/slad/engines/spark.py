"""Spark: a DataFrame scored by `mapInArrow`, on as many executors as there are.

    from slad.engines import spark
    scores = spark.score("orders.slad", frame)     # a DataFrame: id, score, error, pvalue, decision

The model travels as bytes, once an executor. Spark retries the partition of a worker that dies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from slad.engines.scorer import BatchScorer

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def score(
    model: str | Path,
    frame: DataFrame,
    *,
    id: str | None = None,
    keep_columns: bool = False,
    scorer: type[BatchScorer] = BatchScorer,
) -> DataFrame:
    """Scores of every row of a DataFrame by a saved model; nothing runs before it is asked for.

    `scorer` may be a subclass that says something else of a batch.
    """
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    data = Path(model).read_bytes()
    here = scorer.from_bytes(data, device="cpu", id=id, keep_columns=keep_columns)
    schema = from_arrow_schema(here.schema(to_arrow_schema(frame.schema)))
    sent = frame.sparkSession.sparkContext.broadcast(data)
    wanted = here.columns
    if wanted is not None:
        frame = frame.select([name for name in wanted if name in frame.columns])

    def scored(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        there = _scorer(scorer, sent.value, id, keep_columns)
        for batch in batches:
            yield there(batch)

    return frame.mapInArrow(scored, schema)


def score_files(
    session: SparkSession, model: str | Path, source: str, out: str, *, id: str | None = None
) -> int:
    """Score a Parquet folder or pattern into a Parquet folder; the number of rows."""
    frame = session.read.parquet(source)
    score(model, frame, id=id).write.mode("errorifexists").parquet(out)
    return int(session.read.parquet(out).count())


_KEPT: dict[tuple[Any, ...], BatchScorer] = {}


def _scorer(
    scorer: type[BatchScorer], data: bytes, id: str | None, keep_columns: bool
) -> BatchScorer:
    """The scorer of this worker process: its partitions follow each other, one model serves all."""
    key = (scorer, hash(data), id, keep_columns)
    if key not in _KEPT:
        import torch

        torch.set_num_threads(1)  # an executor runs one worker a core
        _KEPT.clear()
        _KEPT[key] = scorer.from_bytes(data, device="cpu", id=id, keep_columns=keep_columns)
    return _KEPT[key]
