"""Results as tables: one line per row, or one line per reason."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from slad.cli.paths import STDOUT

if TYPE_CHECKING:
    import pyarrow as pa

    from slad.cli.scored_table import ScoredTable
    from slad.model import RowExplanation


def scores_table(
    scored: ScoredTable, explanations: Sequence[RowExplanation], with_columns: bool
) -> pa.Table:
    """One line per row, in the order of the table; `row` counts from 1."""
    import numpy as np
    import pyarrow as pa

    judgement = scored.judgement
    sentences = {each.row: each.sentence for each in explanations}
    errors = judgement.errors
    columns: dict[str, object] = {"row": np.arange(1, len(judgement.scores) + 1)}
    if scored.ids is not None:
        columns["id"] = scored.ids
    columns |= {
        "score": judgement.scores,
        "error": pa.array(errors, mask=np.isnan(errors)),
        "pvalue": judgement.pvalues,
        "decision": judgement.decisions.tolist(),
        "reason": [sentences.get(row) for row in range(len(judgement.scores))],
    }
    table = pa.table(columns)
    if with_columns:
        for name in scored.table.frame.column_names:
            free = name if name not in table.column_names else f"{name} (table)"
            table = table.append_column(free, scored.table.frame.column(name))
    return table


def reasons_table(scored: ScoredTable, explanations: Sequence[RowExplanation]) -> pa.Table:
    """One line per reason of the explained rows."""
    import pyarrow as pa

    lines = [
        (each.row, rank, reason)
        for each in explanations
        for rank, reason in enumerate(each.reasons, start=1)
    ]
    columns = {"row": pa.array([row + 1 for row, *_ in lines], pa.int64())}
    if scored.ids is not None:
        columns["id"] = pa.array([scored.ids[row] for row, *_ in lines], pa.string())
    columns |= {
        "rank": pa.array([rank for _, rank, _ in lines], pa.int64()),
        "columns": pa.array([", ".join(each.columns) for *_, each in lines], pa.string()),
        "contribution": pa.array([each.contribution for *_, each in lines], pa.float64()),
        "share": pa.array([each.share for *_, each in lines], pa.float64()),
        "reason": pa.array([each.sentence for *_, each in lines], pa.string()),
    }
    return pa.table(columns)


def write_table(table: pa.Table, out: str) -> None:
    """Write to a file in the format of its ending, or to stdout as CSV."""
    from slad.tables import write

    if out != STDOUT:
        write(table, Path(out))
        return
    import pyarrow.csv

    sink = pyarrow.BufferOutputStream()
    pyarrow.csv.write_csv(table, sink)
    sys.stdout.flush()
    sys.stdout.buffer.write(sink.getvalue())
