"""The ways from a Parquet folder to a folder of scores, each in a process that waits for orders.

    python benchmarks/engine_ways.py spark MODEL     # then lines: {"rows": ..., "out": ..., ...}

A way is started once; every order is a job, with the model or with a scorer that only passes rows
through. The answer says how long it took.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from slad.engines import BatchScorer, stream_scores

CORES = 2
Job = Callable[[Path, Path, type[BatchScorer]], Any]
"""Scores the files of a folder into another, as a class of scorers says."""


class PassThrough(BatchScorer):
    """Says 0 of every row without looking at it: the time of a job is then its engine's."""

    def __call__(self, batch: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
        rows = pa.table(batch)
        schema = self.schema(rows.schema)
        kept = [rows.column(name).combine_chunks() for name in self._kept(rows.schema)]
        zeros = pa.array(np.zeros(rows.num_rows))
        usual = pa.array(np.full(rows.num_rows, "usual"))
        return pa.record_batch([*kept, zeros, zeros, zeros, usual], schema=schema)


def memory(model: Path) -> Job:
    """All rows at once."""

    def job(rows: Path, out: Path, scorer: type[BatchScorer]) -> None:
        scores = scorer.load(model, device="cpu")(parquet.read_table(rows))
        out.mkdir()
        parquet.write_table(pa.Table.from_batches([scores]), out / "scores.parquet")

    return job


def streamed(model: Path) -> Job:
    """`slad score MODEL FILES --out FOLDER/`."""

    def job(rows: Path, out: Path, scorer: type[BatchScorer]) -> None:
        stream_scores(scorer.load(model, device="cpu"), sorted(rows.iterdir()), out)

    return job


def with_spark(model: Path) -> Job:
    """A local Spark of two cores."""
    from pyspark.sql import SparkSession

    from slad.engines import spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local[{CORES}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )

    def job(rows: Path, out: Path, scorer: type[BatchScorer]) -> None:
        frame = session.read.parquet(str(rows))
        spark.score(model, frame, scorer=scorer).write.parquet(str(out))

    return job


def with_ray(model: Path) -> Job:
    """A local Ray of two actors."""
    import ray

    from slad.engines import ray as engine

    ray.init(
        num_cpus=CORES,
        include_dashboard=False,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
        logging_level="error",
    )
    ray.data.DataContext.get_current().enable_progress_bars = False

    def job(rows: Path, out: Path, scorer: type[BatchScorer]) -> None:
        dataset = ray.data.read_parquet(str(rows))
        engine.score(model, dataset, workers=CORES, scorer=scorer).write_parquet(str(out))

    return job


def with_dask(model: Path) -> Job:
    """Dask's own choice for data frames: threads."""
    import dask as library
    from dask import dataframe

    from slad.engines import dask

    def job(rows: Path, out: Path, scorer: type[BatchScorer]) -> None:
        with library.config.set(scheduler="threads", num_workers=CORES):
            frame = dataframe.read_parquet(str(rows))
            dask.score(model, frame, scorer=scorer).to_parquet(str(out), write_index=False)

    return job


def as_onnx(model: Path) -> Job:
    """An ONNX graph over the batches of the files; scores and flags without p-values."""
    import onnxruntime

    from slad.engines.onnx import export

    graph = model.with_suffix(".onnx")
    if not graph.exists():
        export(BatchScorer.load(model, device="cpu").model, graph)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = CORES
    session = onnxruntime.InferenceSession(graph, settings, ["CPUExecutionProvider"])
    names = json.loads(session.get_modelmeta().custom_metadata_map["columns"])

    def scored(batch: pa.RecordBatch, scorer: type[BatchScorer]) -> pa.RecordBatch:
        if scorer is PassThrough:
            score, strange = np.zeros(len(batch)), np.zeros(len(batch), dtype=bool)
        else:
            cells = np.column_stack([batch[name].to_numpy().astype(np.float64) for name in names])
            score, strange = session.run(None, {"rows": cells})
        return pa.record_batch({"id": batch["id"], "score": score, "strange": strange})

    def job(rows: Path, out: Path, scorer: type[BatchScorer]) -> None:
        out.mkdir()
        for file in sorted(rows.iterdir()):
            batches = parquet.ParquetFile(file).iter_batches(batch_size=ONNX_ROWS)
            found = [scored(batch, scorer) for batch in batches]
            parquet.write_table(pa.Table.from_batches(found), out / file.name)

    return job


ONNX_ROWS = 8_192
"""At a time: the graph keeps what it computes, 20,000 numbers a row by default, all at once."""
WAYS: dict[str, Callable[[Path], Job]] = {
    "memory": memory,
    "streamed": streamed,
    "spark": with_spark,
    "ray": with_ray,
    "dask": with_dask,
    "onnx": as_onnx,
}
NEEDS = {"spark": "pyspark", "ray": "ray", "dask": "dask", "onnx": "onnxruntime"}
SCORERS = {"model": BatchScorer, "pass_through": PassThrough}


def serve(way: str, model: Path) -> None:
    """Answer every line of stdin; the first answer says that the way is ready."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is no answer
    job = WAYS[way](model)
    print(json.dumps({"ready": way}), file=answers)
    for line in sys.stdin:
        order = json.loads(line)
        out = Path(order["out"])
        start = time.perf_counter()
        job(Path(order["rows"]), out, SCORERS[order["scorer"]])
        print(json.dumps({"seconds": time.perf_counter() - start}), file=answers)
        shutil.rmtree(out)


if __name__ == "__main__":
    import engine_ways  # by its name, which other processes can import the scorer by

    engine_ways.serve(sys.argv[1], Path(sys.argv[2]))
