"""Dask: a DataFrame scored partition by partition.

from slad.engines import dask
scores = dask.score("orders.slad", frame)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from slad.engines.scorer import BatchScorer

if TYPE_CHECKING:
    import pandas as pd
    from dask.dataframe import DataFrame


def score(
    model: str | Path,
    frame: DataFrame,
    *,
    id: str | None = None,
    scorer: type[BatchScorer] = BatchScorer,
) -> DataFrame:
    """Scores of every row of a Dask DataFrame by a saved model; nothing runs before `compute`.

    `scorer` may be a subclass that says something else of a batch.
    """
    data = Path(model).read_bytes()
    meta = _scored(frame._meta, scorer, data, id)
    return frame.map_partitions(_scored, scorer, data, id, meta=meta)


def _scored(part: pd.DataFrame, scorer: type[BatchScorer], data: bytes, id: str | None) -> Any:
    rows = pa.Table.from_pandas(part, preserve_index=False)
    scores = _scorer(scorer.from_bytes, data, id)(rows).to_pandas()
    scores.index = part.index
    return scores


@lru_cache(maxsize=1)
def _scorer(from_bytes: Callable[..., BatchScorer], data: bytes, id: str | None) -> BatchScorer:
    """Once a worker process: its partitions follow each other."""
    return from_bytes(data, device="cpu", id=id)
