"""One Spark and one Ray of this machine for all tests of engines: starting them takes seconds."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def spark_session() -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="pip install 'slad[spark]'")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, and there is none")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    started = (
        SparkSession.builder.master("local[2,4]")  # two cores, a task may fail three times
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "700")
        .config("spark.sql.files.maxPartitionBytes", "40000")
        .getOrCreate()
    )
    yield started
    started.stop()


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="pip install 'slad[ray]'")
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        _node_ip_address="127.0.0.1",
        logging_level="error",
        configure_logging=False,
    )
    yield ray
    ray.shutdown()


@pytest.fixture
def own_sigterm() -> Iterator[None]:
    """What SIGTERM does, and which socket wakes up, are as before after the test."""
    handler, socket = signal.getsignal(signal.SIGTERM), signal.set_wakeup_fd(-1)
    yield
    signal.signal(signal.SIGTERM, handler)
    signal.set_wakeup_fd(socket)
