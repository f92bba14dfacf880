"""Past memory and past one machine: a saved model over Arrow batches, wherever they come from.

One scorer (`BatchScorer`) is what every engine calls; engines bring the rows and take the scores.
`fit_files` learns from Parquet files of any size, as one process or as several of torchrun's.
"""

try:
    import pyarrow  # noqa: F401
except ImportError as error:
    raise ImportError("engines pass Arrow batches: pip install 'slad[tables]'") from error

from slad.engines.fitting import fit_files
from slad.engines.scorer import BatchScorer
from slad.engines.streaming import Streamed, stream_scores

__all__ = ["BatchScorer", "Streamed", "fit_files", "stream_scores"]
