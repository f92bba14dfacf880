"""Dask: a DataFrame scored partition by partition.

from slad.engines import dask
scores = dask.score("orders.slad", frame)
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from slad.engines.scorer import BatchScorer

if TYPE_CHECKING:
    import pandas as pd
    from dask.dataframe import DataFrame


def score(model: str | Path, frame: DataFrame, *, id: str | None = None) -> DataFrame:
    """Scores of every row of a Dask DataFrame by a saved model; nothing runs before `compute`."""
    data = Path(model).read_bytes()
    return frame.map_partitions(_scored, data, id, meta=_scored(frame._meta, data, id))


def _scored(part: pd.DataFrame, data: bytes, id: str | None) -> Any:
    rows = pa.Table.from_pandas(part, preserve_index=False)
    scores = _scorer(data, id)(rows).to_pandas()
    scores.index = part.index
    return scores


@lru_cache(maxsize=1)
def _scorer(data: bytes, id: str | None) -> BatchScorer:
    """Once a worker process: its partitions follow each other."""
    return BatchScorer.from_bytes(data, device="cpu", id=id)
