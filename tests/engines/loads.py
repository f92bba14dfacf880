"""A scorer that writes down which process loads it. Workers of engines import it by its name."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa

from slad.engines import BatchScorer


def counting(log: Path) -> type[BatchScorer]:
    """A class of scorers that appends the process to a file at every load and at every batch."""

    class Counting(BatchScorer):
        @classmethod
        def from_bytes(cls, data: bytes, **settings: Any) -> BatchScorer:
            write("load")
            return super().from_bytes(data, **settings)

        def __call__(self, batch: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
            write("batch")
            return super().__call__(batch)

    def write(what: str) -> None:
        with open(log, "a") as file:  # short lines of several processes do not mix
            file.write(f"{what} {os.getpid()}\n")

    return Counting


def counted(log: Path, what: str) -> Counter[int]:
    """How often each process did it."""
    lines = [line.split() for line in log.read_text().splitlines()]
    return Counter(int(process) for did, process in lines if did == what)
