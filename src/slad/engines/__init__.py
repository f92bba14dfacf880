"""Tables larger than memory, and jobs on several machines.

Every engine scores Arrow batches with one `BatchScorer` of a saved model. `fit_files` fits on
Parquet files of any size, in one process or in those that torchrun started.
"""

from slad.engines.fitting import fit_files
from slad.engines.scorer import BatchScorer
from slad.engines.streaming import Streamed, stream_scores

__all__ = ["BatchScorer", "Streamed", "fit_files", "stream_scores"]
