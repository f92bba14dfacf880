"""Ray: score a Dataset by `map_batches`, in actors that each hold the model.

    from slad.engines import ray
    scores = ray.score("orders.slad", dataset)

With `gpus` every actor takes a GPU or a fraction of one. Ray restarts an actor that dies and gives
its blocks to another.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from slad.engines.scorer import BatchScorer
from slad.engines.sent_model import SentModel

if TYPE_CHECKING:
    from ray.data import Dataset

ROWS_AT_ONCE = 65_536
CLAIM = 0.5
"""The fraction of a CPU that an actor claims. If actors claimed whole ones, as many actors as CPUs
would leave none for reading rows, and the job would wait forever."""


class Scorer:
    """What an actor holds."""

    def __init__(self, sent: SentModel) -> None:
        if sent.device == "cpu":
            import torch

            torch.set_num_threads(1)
        self.scorer = sent.loaded()

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
    """The scores of every row of a Dataset by a saved model, computed lazily.

    `workers` is the number of actors, or the least and the most (by default 1 and the number of
    CPUs); `gpus` is how much of a GPU each takes. `scorer` may be a subclass that returns something
    else for a batch.
    """
    import ray
    from ray.data import ActorPoolStrategy

    sent = SentModel.of_file(model, id=id, keep_columns=keep_columns, scorer=scorer)
    least, most = workers if isinstance(workers, tuple) else (workers or 1, workers)
    cpus = int(ray.cluster_resources().get("CPU", 1))
    most = most or max(1, cpus)
    wanted = sent.loaded().columns
    if wanted is not None:
        present = dataset.schema().names
        dataset = dataset.select_columns([name for name in wanted if name in present])
    return dataset.map_batches(
        Scorer,
        fn_constructor_args=(replace(sent, device="cuda" if gpus else "cpu"),),
        batch_format="pyarrow",
        batch_size=ROWS_AT_ONCE,
        compute=ActorPoolStrategy(min_size=min(least, most), max_size=most),
        num_cpus=CLAIM if cpus > 1 else 0,
        num_gpus=gpus or None,
    )
