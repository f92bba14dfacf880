"""Spark: score a DataFrame by `mapInArrow`, on all executors.

    from slad.engines import spark
    scores = spark.score("orders.slad", frame)     # a DataFrame: id, score, error, pvalue, decision

The model is sent to an executor once, and every worker process loads it once. Spark retries the
partition of a worker that dies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from slad.engines.scorer import BatchScorer
from slad.engines.sent_model import SentModel

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
    """The scores of every row of a DataFrame by a saved model, computed lazily.

    `scorer` may be a subclass that returns something else for a batch.
    """
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    sent = SentModel.of_file(model, id=id, keep_columns=keep_columns, scorer=scorer)
    here = sent.loaded()
    schema = from_arrow_schema(here.schema(to_arrow_schema(frame.schema)))
    wanted = here.columns
    if wanted is not None:
        frame = frame.select([name for name in wanted if name in frame.columns])
    data = frame.sparkSession.sparkContext.broadcast(sent.data)

    def scored(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import torch

        torch.set_num_threads(1)  # Spark runs one worker process per core
        there = SentModel(data.value, id, keep_columns, scorer=scorer).loaded()
        for batch in batches:
            yield there(batch)

    return frame.mapInArrow(scored, schema)


def score_files(
    session: SparkSession, model: str | Path, source: str, out: str, *, id: str | None = None
) -> int:
    """Score a Parquet folder or pattern into a Parquet folder; returns the number of rows."""
    frame = session.read.parquet(source)
    score(model, frame, id=id).write.mode("errorifexists").parquet(out)
    return int(session.read.parquet(out).count())
