"""The way of a table: read, encoded, fitted, calibrated, judged, explained."""

from slad.pipeline.evaluation import Evaluation, Truth, evaluate, read_truth
from slad.pipeline.explanation import ColumnReason, RowExplanation
from slad.pipeline.facts import model_facts, run_facts
from slad.pipeline.findings import Run, findings, light
from slad.pipeline.judgement import Judgement
from slad.pipeline.model import TableDetector

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
