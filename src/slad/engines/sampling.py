"""A uniform random sample of the rows of a table that no memory holds."""

from __future__ import annotations

import numpy as np

from slad.core.seeds import Streams
from slad.engines.passes import Picked
from slad.engines.ranks import Processes
from slad.engines.shards import ParquetTable
from slad.engines.streaming import ahead
from slad.tables import Loaded, Note


def sample_rows(table: ParquetTable, count: int, *, seed: int) -> Loaded:
    """`count` random rows in the table's order, with a note that says so."""
    rng = Streams(seed).numpy("sample")
    picked = Picked(np.sort(rng.choice(table.n_rows, count, replace=False)), table.schema)
    for first, rows in ahead(each for group in table.groups for each in table.batches(group)):
        picked.add(first, rows)
    note = Note(None, f"learned from a random {count:,} of {table.n_rows:,} rows")
    return Loaded(picked.gathered(Processes()), table.name, None, (*table.notes, note))
