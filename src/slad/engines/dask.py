"""Dask: score a DataFrame partition by partition.

    from slad.engines import dask
    scores = dask.score("orders.slad", frame)

Every worker process loads the model once, however many threads it has.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from slad.engines.scorer import BatchScorer
from slad.engines.sent_model import SentModel

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
    """The scores of every row of a Dask DataFrame by a saved model, computed lazily.

    `scorer` may be a subclass that returns something else for a batch.
    """
    sent = SentModel.of_file(model, id=id, scorer=scorer)
    return frame.map_partitions(_scored, sent, meta=_scored(frame._meta, sent))


def _scored(part: pd.DataFrame, sent: SentModel) -> Any:
    rows = pa.Table.from_pandas(part, preserve_index=False)
    scores = sent.loaded()(rows).to_pandas()
    scores.index = part.index
    return scores
