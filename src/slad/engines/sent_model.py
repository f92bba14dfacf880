"""A saved model on its way to the workers of an engine, loaded once in every process."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from slad.core.errors import ArtifactError
from slad.engines.scorer import BatchScorer

_LOADING = threading.Lock()


@dataclass(frozen=True)
class SentModel:
    """The bytes of a saved model, and how it scores rows."""

    data: bytes = field(repr=False)
    id: str | None = None
    keep_columns: bool = False
    device: str = "cpu"
    scorer: type[BatchScorer] = BatchScorer
    """The class that scores batches; a subclass may return something else."""
    where: str = field(default="the saved model", compare=False)
    """The file of the model, for errors."""

    @classmethod
    def of_file(
        cls,
        path: str | os.PathLike[str],
        *,
        id: str | None = None,
        keep_columns: bool = False,
        scorer: type[BatchScorer] = BatchScorer,
    ) -> SentModel:
        if not Path(path).is_file():
            raise ArtifactError(f"no saved model at {path}")
        data = Path(path).read_bytes()
        return cls(data, id, keep_columns, scorer=scorer, where=os.fspath(path))

    def loaded(self) -> BatchScorer:
        """The scorer of this process, which all of its tasks and threads share."""
        with _LOADING:  # threads that ask at the same time would each load the model
            return _load(self)


@lru_cache(maxsize=1)  # the tasks of a job follow each other, so one model in memory is enough
def _load(sent: SentModel) -> BatchScorer:
    return sent.scorer.from_bytes(
        sent.data,
        device=sent.device,
        id=sent.id,
        keep_columns=sent.keep_columns,
        where=sent.where,
    )
