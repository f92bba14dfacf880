"""`slad score --engine NAME`: a Parquet folder in, a Parquet folder out, by an engine at hand.

The folder of scores appears under its name when the job is done. Where it is no local path (an
object store), the engine's own way of finishing a job holds.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from slad.core.errors import ConfigError
from slad.core.names import unknown
from slad.tables.files import file_format, members
from slad.tables.formats import PARQUET


def with_spark(model: Path, source: str, out: str, id: str | None) -> int:
    from pyspark.sql import SparkSession

    from slad.engines import spark

    return spark.score_files(SparkSession.builder.getOrCreate(), model, source, out, id=id)


def with_ray(model: Path, source: str, out: str, id: str | None) -> int:
    import ray

    from slad.engines import ray as engine

    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False)
    files = source if _is_remote(source) else [_absolute(str(file)) for file in _members(source)]
    scores = engine.score(model, ray.data.read_parquet(files), id=id)
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
NEEDS = {"spark": "pyspark", "ray": "ray", "dask": "dask"}
"""The library that an engine is."""


def score_with(engine: str, model: Path, source: str, out: str, *, id: str | None = None) -> int:
    """Score `source` into the new folder `out`; the number of rows."""
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    _check_at_hand(engine)
    _check_source(engine, source)
    if _is_remote(out):
        return ENGINES[engine](model, source, out, id)
    target = Path(out)
    if target.exists():
        raise ConfigError(
            f"{target} is there already, and --engine {engine} writes a folder of its own: give a "
            "name that is free, or delete that folder"
        )
    half = target.with_name(f".{target.name}.half")
    shutil.rmtree(half, ignore_errors=True)  # of a job that was killed
    try:
        rows = ENGINES[engine](model, source, str(half), id)
        half.rename(target)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return rows


def _check_at_hand(engine: str) -> None:
    """An error for what is not installed, before an engine says it in its own words."""
    if find_spec(NEEDS[engine]) is None:
        raise ConfigError(
            f"{engine.capitalize()} is not installed: pip install 'slad[{engine}]', or leave out "
            f"--engine {engine} to score on this machine"
        )
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java") or (home and shutil.which("java", path=Path(home, "bin")))
    if engine == "spark" and not java and "SPARK_REMOTE" not in os.environ:
        raise ConfigError(
            "Spark runs on Java, and there is no java here: install Java 17 or newer, or say by "
            "JAVA_HOME where it is"
        )


def _check_source(engine: str, source: str) -> None:
    """An error for files here that are not there, or not Parquet."""
    if _is_remote(source):
        return
    for file in _members(source):
        if file_format(file) != PARQUET:
            raise ConfigError(
                f"--engine {engine} reads Parquet, and {file} is none: write it as Parquet, or "
                f"leave out --engine {engine}"
            )


def _members(source: str) -> list[Path]:
    return members(Path(source).expanduser())


def _is_remote(path: str) -> bool:
    return "://" in path


def _absolute(path: str) -> str:
    """Workers have folders of their own to be in."""
    return path if _is_remote(path) else str(Path(path).absolute())
