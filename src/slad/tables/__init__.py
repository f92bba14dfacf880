"""Tables: read them, choose the kind of each column, and turn them into numbers.

loaded = read("orders.csv")
plan = plan_columns(loaded.frame)
encoder = Encoder.fit(loaded.frame, plan)
later, notes = conform(read("later.parquet", types=types_of(plan)).frame, plan)
rows = encoder.transform(later)
"""

from slad.tables.encoder import EncodedColumn, Encoder
from slad.tables.loaded import Loaded, Note
from slad.tables.plan import ColumnPlan, plan_columns, plan_of, types_of
from slad.tables.reading import read
from slad.tables.schema import conform
from slad.tables.writing import write

__all__ = [
    "ColumnPlan",
    "EncodedColumn",
    "Encoder",
    "Loaded",
    "Note",
    "conform",
    "plan_columns",
    "plan_of",
    "read",
    "types_of",
    "write",
]
