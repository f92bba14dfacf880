"""`slad score --engine NAME`: a Parquet folder in, a Parquet folder out, by an engine at hand.

The folder of scores appears under its name when the job is done. Where it is no local path (an
object store), the engine's own way of finishing a job holds.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from slad.core.errors import ConfigError
from slad.core.names import unknown


def with_spark(model: Path, source: str, out: str, id: str | None) -> int:
    from pyspark.sql import SparkSession

    from slad.engines import spark

    return spark.score_files(SparkSession.builder.getOrCreate(), model, source, out, id=id)


def with_ray(model: Path, source: str, out: str, id: str | None) -> int:
    import ray

    from slad.engines import ray as engine

    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    scores = engine.score(model, ray.data.read_parquet(_absolute(source)), id=id)
    scores.write_parquet(_absolute(out))
    return int(ray.data.read_parquet(_absolute(out)).count())


def with_dask(model: Path, source: str, out: str, id: str | None) -> int:
    from dask import dataframe

    from slad.engines import dask

    dask.score(model, dataframe.read_parquet(source), id=id).to_parquet(out, write_index=False)
    return len(dataframe.read_parquet(out))


ENGINES: dict[str, Callable[[Path, str, str, str | None], int]] = {
    "spark": with_spark,
    "ray": with_ray,
    "dask": with_dask,
}


def score_with(engine: str, model: Path, source: str, out: str, *, id: str | None = None) -> int:
    """Score `source` into the new folder `out`; the number of rows."""
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    if _is_remote(out):
        return ENGINES[engine](model, source, out, id)
    target = Path(out)
    if target.exists():
        raise ConfigError(f"{target} is there already: give a new folder for the scores")
    half = target.with_name(f".{target.name}.half")
    shutil.rmtree(half, ignore_errors=True)  # of a job that was killed
    try:
        rows = ENGINES[engine](model, source, str(half), id)
        half.rename(target)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return rows


def _is_remote(path: str) -> bool:
    return "://" in path


def _absolute(path: str) -> str:
    """Workers have folders of their own to be in."""
    return path if _is_remote(path) else str(Path(path).absolute())
