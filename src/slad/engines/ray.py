"""Ray: a Dataset scored by `map_batches`, one actor a worker holding the model.

    from slad.engines import ray
    scores = ray.score("orders.slad", dataset)

Actors take a GPU each where `gpus` says so. Ray starts an actor that dies anew and gives its
blocks to another.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from slad.engines.scorer import BatchScorer

if TYPE_CHECKING:
    from ray.data import Dataset

ROWS_AT_ONCE = 65_536
CLAIM = 0.5
"""Of a CPU, by an actor. With whole ones, as many actors as CPUs would leave none to read rows
with, and the job would wait for itself."""


class Scorer:
    """What an actor holds."""

    def __init__(
        self,
        scorer: type[BatchScorer],
        data: bytes,
        id: str | None,
        keep_columns: bool,
        gpu: bool,
    ) -> None:
        if not gpu:
            import torch

            torch.set_num_threads(1)
        device = "cuda" if gpu else "cpu"
        self.scorer = scorer.from_bytes(data, device=device, id=id, keep_columns=keep_columns)

    def __call__(self, batch: pa.Table) -> pa.Table:
        return pa.Table.from_batches([self.scorer(batch)])


def score(
    model: str | Path,
    dataset: Dataset,
    *,
    id: str | None = None,
    keep_columns: bool = False,
    workers: int | tuple[int, int] | None = None,
    gpus: float = 0,
    scorer: type[BatchScorer] = BatchScorer,
) -> Dataset:
    """Scores of every row of a Dataset by a saved model; nothing runs before it is asked for.

    `workers` are actors (as many as there are CPUs by default), `gpus` the share of one for each.
    `scorer` may be a subclass that says something else of a batch.
    """
    import ray
    from ray.data import ActorPoolStrategy

    data = Path(model).read_bytes()
    least, most = workers if isinstance(workers, tuple) else (workers or 1, workers)
    cpus = int(ray.cluster_resources().get("CPU", 1))
    most = most or max(1, cpus)
    wanted = BatchScorer.from_bytes(data, device="cpu", id=id, keep_columns=keep_columns).columns
    if wanted is not None:
        present = dataset.schema().names
        dataset = dataset.select_columns([name for name in wanted if name in present])
    return dataset.map_batches(
        Scorer,
        fn_constructor_args=(scorer, data, id, keep_columns, gpus > 0),
        batch_format="pyarrow",
        batch_size=ROWS_AT_ONCE,
        compute=ActorPoolStrategy(min_size=min(least, most), max_size=most),
        num_cpus=CLAIM if cpus > 1 else 0,
        num_gpus=gpus or None,
    )
