"""One SLAD model, the same rows, every way to score them: the same scores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from slad.engines import BatchScorer, stream_scores
from slad.model import TableDetector

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]

COLUMNS = ["a", "b", "c", "d", "e"]
MODELS: dict[str, dict[str, int]] = {"neighbor-scale": {}, "slad": {"epochs": 3}}
"""The default, and one that an ONNX graph can be made of."""
Found = dict[int, float]


def numbers(rows: int, seed: int, first: int = 0) -> pa.Table:
    """Numbers only, which an ONNX graph takes too."""
    cells = np.random.default_rng(seed).normal(size=(rows, len(COLUMNS))) @ np.tri(len(COLUMNS))
    columns = {name: cells[:, at] for at, name in enumerate(COLUMNS)}
    return pa.table({"order": np.arange(first, first + rows)} | columns)


class Job:
    """A model in a file, rows in a folder, and what the model says of them in memory."""

    def __init__(self, folder: Path, detector: str, parameters: dict[str, int]) -> None:
        self.model = TableDetector(detector, parameters=parameters, id="order").fit(
            numbers(1500, 0)
        )
        self.saved, self.rows = folder / "m.slad", folder / "rows"
        self.model.save(self.saved)
        self.rows.mkdir()
        for at in range(3):
            parquet.write_table(numbers(900, at + 1, at * 900), self.rows / f"{at}.parquet")
        whole = parquet.read_table(self.rows)
        scores = self.model.judge(whole).scores
        self.expected: Found = dict(zip(whole["order"].to_pylist(), scores, strict=True))


def made(factory: pytest.TempPathFactory, detector: str) -> Job:
    return Job(factory.mktemp("agreement"), detector, MODELS[detector])


@pytest.fixture(scope="module", params=MODELS)
def job(request, tmp_path_factory) -> Job:
    return made(tmp_path_factory, request.param)


def by_id(table: pa.Table) -> Found:
    return dict(zip(table["order"].to_pylist(), table["score"].to_pylist(), strict=True))


def in_batches(job: Job, folder: Path) -> Found:
    scorer = BatchScorer.load(job.saved, device="cpu")
    batches = parquet.read_table(job.rows).to_batches(max_chunksize=77)
    return by_id(pa.Table.from_batches([scorer(batch) for batch in batches]))


def streamed(job: Job, folder: Path) -> Found:
    files = sorted(job.rows.iterdir())
    stream_scores(BatchScorer.load(job.saved, device="cpu"), files, folder / "out")
    return by_id(parquet.read_table(folder / "out"))


def with_spark(job: Job, folder: Path, session) -> Found:
    from slad.engines import spark

    frame = spark.score(job.saved, session.read.parquet(str(job.rows)))
    return {row["order"]: row["score"] for row in frame.collect()}


def with_ray(job: Job, folder: Path, cluster) -> Found:
    from slad.engines import ray

    scores = ray.score(job.saved, cluster.data.read_parquet(str(job.rows)), workers=2)
    return {row["order"]: row["score"] for row in scores.take_all()}


def with_dask(job: Job, folder: Path) -> Found:
    frames = pytest.importorskip("dask.dataframe", reason="pip install 'slad[dask]'")
    from slad.engines import dask

    found = dask.score(job.saved, frames.read_parquet(str(job.rows))).compute()
    return dict(zip(found["order"], found["score"], strict=True))


def as_onnx(job: Job, folder: Path) -> Found:
    pytest.importorskip("onnx", reason="pip install 'slad[onnx]'")
    runtime = pytest.importorskip("onnxruntime", reason="pip install 'slad[onnx]'")
    from slad.engines.onnx import export

    export(job.model, folder / "m.onnx")
    session = runtime.InferenceSession(folder / "m.onnx", providers=["CPUExecutionProvider"])
    rows = parquet.read_table(job.rows)
    cells = np.column_stack([rows[name].to_numpy() for name in COLUMNS])
    [scores] = session.run(["score"], {"rows": cells})
    return dict(zip(rows["order"].to_pylist(), scores, strict=True))


def check(job: Job, found: Found, within: float) -> None:
    """Every row once, and its score that of memory, in the unit of scores."""
    assert sorted(found) == sorted(job.expected)
    expected = np.array(list(job.expected.values()))
    scores = np.array([found[order] for order in job.expected])
    assert np.max(np.abs(scores - expected) / np.maximum(1, np.abs(expected))) <= within


@pytest.mark.parametrize("way", [in_batches, streamed, with_dask])
def test_local_ways_give_the_scores_of_memory_to_the_bit(
    job, tmp_path, way: Callable[[Job, Path], Found]
):
    check(job, way(job, tmp_path), within=0)


def test_spark_gives_the_scores_of_memory(job, tmp_path, spark_session):
    check(job, with_spark(job, tmp_path, spark_session), within=1e-6)


def test_ray_gives_the_scores_of_memory(job, tmp_path, ray_cluster):
    check(job, with_ray(job, tmp_path, ray_cluster), within=1e-6)


def test_an_onnx_graph_gives_the_scores_of_memory(tmp_path_factory, tmp_path):
    job = made(tmp_path_factory, "slad")
    check(job, as_onnx(job, tmp_path), within=1e-6)
