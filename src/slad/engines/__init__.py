"""Past memory and past one machine: a saved model over Arrow batches, wherever they come from.

One scorer (`BatchScorer`) is what every engine calls; engines bring the rows and take the scores.
"""

try:
    import pyarrow  # noqa: F401
except ImportError as error:
    raise ImportError("engines pass Arrow batches: pip install 'slad[tables]'") from error

from slad.engines.scorer import BatchScorer
from slad.engines.streaming import Streamed, stream_scores

__all__ = ["BatchScorer", "Streamed", "stream_scores"]
