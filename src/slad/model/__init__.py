"""Table models: a table is read, encoded, fitted, calibrated, judged and explained.

Names are imported on first use: a page is made of `Findings` without torch or pyarrow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slad.model.conformed_table import ConformedTable as ConformedTable
    from slad.model.evaluation import Truth as Truth
    from slad.model.evaluation import evaluate as evaluate
    from slad.model.evaluation import read_truth as read_truth
    from slad.model.facts import model_facts as model_facts
    from slad.model.facts import run_facts as run_facts
    from slad.model.findings import Evaluation as Evaluation
    from slad.model.findings import Findings as Findings
    from slad.model.judgement import Judgement as Judgement
    from slad.model.row_explanation import ColumnReason as ColumnReason
    from slad.model.row_explanation import RowExplanation as RowExplanation
    from slad.model.run_findings import Run as Run
    from slad.model.run_findings import make_findings as make_findings
    from slad.model.table_detector import TableDetector as TableDetector

_MODULES = {
    "ColumnReason": "row_explanation",
    "ConformedTable": "conformed_table",
    "Evaluation": "findings",
    "Findings": "findings",
    "Judgement": "judgement",
    "RowExplanation": "row_explanation",
    "Run": "run_findings",
    "TableDetector": "table_detector",
    "Truth": "evaluation",
    "evaluate": "evaluation",
    "make_findings": "run_findings",
    "model_facts": "facts",
    "read_truth": "evaluation",
    "run_facts": "facts",
}

__all__ = [
    "ColumnReason",
    "ConformedTable",
    "Evaluation",
    "Findings",
    "Judgement",
    "RowExplanation",
    "Run",
    "TableDetector",
    "Truth",
    "evaluate",
    "make_findings",
    "model_facts",
    "read_truth",
    "run_facts",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"slad.model.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'slad.model' has no attribute {name!r}")
