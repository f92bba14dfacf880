"""A saved model as a function from Arrow batch to Arrow batch."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa

from slad.core.errors import ArtifactError, ConfigError
from slad.detectors import Capability
from slad.model import TableDetector
from slad.tables import Loaded

RESULT = (
    pa.field("score", pa.float64()),
    pa.field("error", pa.float64()),
    pa.field("pvalue", pa.float64()),
    pa.field("decision", pa.string()),
)
"""The columns of a result, after the id."""


class BatchScorer:
    """Scores batches of rows. A row gets the same score in any batch.

    >>> import numpy as np
    >>> from slad import TableDetector
    >>> orders = pa.table({"price": [3 + n / 100 for n in range(100)]})
    >>> scorer = BatchScorer(TableDetector("knn-5").fit(orders))
    >>> scorer(pa.record_batch({"price": [3.5, 99.0]}))["decision"].to_pylist()
    ['usual', 'strange']
    """

    def __init__(
        self, model: TableDetector, *, id: str | None = None, keep_columns: bool = False
    ) -> None:
        rule = model.make_rule()
        if not rule.by_row:
            raise ConfigError(
                f"the rule {rule.kind}={rule.value:g} needs all rows at once, and rows come in "
                "batches here: use the rule fpr or contamination, or rank the scores afterwards"
            )
        rule.check(len(model.calibration_), own_rows=False)
        self.model = model
        self.id = id or model.id
        self.keep_columns = keep_columns

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, device: str = "auto", id: str | None = None
    ) -> BatchScorer:
        """The scorer of a saved model."""
        return cls(TableDetector.load(path, device=device), id=id)

    @classmethod
    def from_bytes(
        cls,
        data: bytes,
        *,
        device: str = "auto",
        id: str | None = None,
        keep_columns: bool = False,
        where: str = "the saved model",
    ) -> BatchScorer:
        """The scorer of a saved model's bytes; `where` they were found, for errors."""
        handle, name = tempfile.mkstemp(suffix=".slad")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            model = TableDetector.load(name, device=device)
        except ArtifactError as error:
            raise ArtifactError(str(error).replace(name, where)) from error
        finally:
            Path(name).unlink(missing_ok=True)
        return cls(model, id=id, keep_columns=keep_columns)

    def __call__(self, batch: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
        """Score, its error, p-value and decision of every row, after its id if there is one."""
        rows = pa.table(batch)
        return self._scored(rows, rows)

    def score_read(self, batch: pa.RecordBatch | pa.Table) -> pa.RecordBatch:
        """The same for rows that `model.read` returned, which are not read again."""
        rows = pa.table(batch)
        return self._scored(rows, Loaded(rows, "rows", None, ()))

    def _scored(self, rows: pa.Table, table: pa.Table | Loaded) -> pa.RecordBatch:
        schema = self.schema(rows.schema)
        if rows.num_rows == 0:
            return pa.RecordBatch.from_pylist([], schema)
        judgement = self.model.judge(table)
        errors = pa.array(judgement.errors, pa.float64(), mask=np.isnan(judgement.errors))
        values = (judgement.scores, errors, judgement.pvalues, judgement.decisions.tolist())
        arrays = [rows.column(name).combine_chunks() for name in self._kept(rows.schema)]
        arrays += [pa.array(each, field.type) for each, field in zip(values, RESULT, strict=True)]
        return pa.record_batch(arrays, schema=schema)

    def schema(self, rows: pa.Schema) -> pa.Schema:
        """The schema of the result for rows of this schema."""
        if self.id is not None and self.id not in rows.names:
            raise ConfigError(
                f"the id column {self.id!r} is not among the columns: {', '.join(rows.names[:50])}"
            )
        taken = {field.name for field in RESULT}
        fields = [rows.field(name) for name in self._kept(rows)]
        named = [
            field.with_name(f"{field.name} (table)") if field.name in taken else field
            for field in fields
        ]
        return pa.schema([*named, *RESULT])

    def _kept(self, rows: pa.Schema) -> list[str]:
        """The columns that are written beside the scores."""
        return list(rows.names) if self.keep_columns else [self.id] if self.id else []

    @property
    def is_shared(self) -> bool:
        """Whether several threads may call it at once."""
        return all(
            Capability.PARALLEL_SCORE in fold_model.detector.capabilities
            for fold_model in self.model.fold_models_
        )

    @property
    def columns(self) -> list[str] | None:
        """The columns to read; None means all."""
        if self.keep_columns:
            return None
        names = [column.name for column in self.model.plan_]
        return names + ([self.id] if self.id and self.id not in names else [])

    def fingerprint(self) -> dict[str, str | float | bool | None]:
        """All that the scores depend on, to recognise output files of another job."""
        rule = self.model.make_rule()
        scores = np.ascontiguousarray(self.model.calibration_.scores)
        return {
            "calibration": hashlib.sha256(scores.data).hexdigest(),
            "rule": rule.kind,
            "level": float(rule.value),
            "reject": self.model.reject,
            "id": self.id,
            "columns": self.keep_columns,
        }
