"""`slad score --engine NAME`: from a Parquet folder to a Parquet folder, with an installed engine.

A local folder of scores gets its name when the job is done. In an object store the engine's own
rule for finished jobs applies.
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
"""The library of each engine."""


def score_with(engine: str, model: Path, source: str, out: str, *, id: str | None = None) -> int:
    """Score `source` into the new folder `out`; returns the number of rows."""
    if engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    _check_installed(engine)
    _check_source(engine, source)
    if _is_remote(out):
        return ENGINES[engine](model, source, out, id)
    target = Path(out)
    if target.exists():
        raise ConfigError(
            f"{target} exists already, and --engine {engine} writes a new folder: use another "
            "name, or delete that folder"
        )
    unfinished = target.with_name(f".{target.name}.half")
    shutil.rmtree(unfinished, ignore_errors=True)  # a job that was killed left it
    try:
        rows = ENGINES[engine](model, source, str(unfinished), id)
        unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return rows


def _check_installed(engine: str) -> None:
    """ConfigError for an engine that is not installed, plainer than the engine's own."""
    if find_spec(NEEDS[engine]) is None:
        raise ConfigError(
            f"{engine.capitalize()} is not installed: pip install 'slad[{engine}]', or leave out "
            f"--engine {engine} to score on this machine"
        )
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java") or (home and shutil.which("java", path=Path(home, "bin")))
    if engine == "spark" and not java and "SPARK_REMOTE" not in os.environ:
        raise ConfigError(
            "Spark needs Java, and there is no java on this machine: install Java 17 or newer, or "
            "set JAVA_HOME to its folder"
        )


def _check_source(engine: str, source: str) -> None:
    """An error for local files that do not exist or are not Parquet."""
    if _is_remote(source):
        return
    for file in _members(source):
        if file_format(file) != PARQUET:
            raise ConfigError(
                f"--engine {engine} reads Parquet, and {file} is not Parquet: write it as Parquet, "
                f"or leave out --engine {engine}"
            )


def _members(source: str) -> list[Path]:
    return members(Path(source).expanduser())


def _is_remote(path: str) -> bool:
    return "://" in path


def _absolute(path: str) -> str:
    """An absolute path, because workers have other working folders."""
    return path if _is_remote(path) else str(Path(path).absolute())
