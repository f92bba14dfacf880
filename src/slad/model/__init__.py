"""The way of a table: read, encoded, fitted, calibrated, judged, explained."""

from slad.model.evaluation import Evaluation, Truth, evaluate, read_truth
from slad.model.explanation import ColumnReason, RowExplanation
from slad.model.facts import model_facts, run_facts
from slad.model.findings import Run, findings, light
from slad.model.judgement import Judgement
from slad.model.table_detector import TableDetector

__all__ = [
    "ColumnReason",
    "Evaluation",
    "Judgement",
    "RowExplanation",
    "Run",
    "TableDetector",
    "Truth",
    "evaluate",
    "findings",
    "light",
    "model_facts",
    "read_truth",
    "run_facts",
]
