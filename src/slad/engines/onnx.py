"""A saved model as one ONNX graph: encoding, scaling, scoring and the decision, for any runtime.

    export(TableDetector.load("orders.slad"), "orders.onnx")

Input `rows`: any number of rows with the columns that `metadata_props["columns"]` lists, in double
precision, NaN where a cell is missing. Outputs: `score`, and `strange` by the model's rule.
Only some detectors can be exported, on tables of numbers; all else is refused with the reason.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import cast

import numpy as np

from slad.core.errors import ConfigError
from slad.core.files import written_aside
from slad.core.version import __version__
from slad.detectors import Capability, require
from slad.detectors.base import WritesOnnx
from slad.detectors.parts.onnx_graph import OPSET, Graph
from slad.model import TableDetector
from slad.model.fold_model import FoldModel
from slad.tables.kinds import KINDS
from slad.tables.kinds.fences import MOST, Fences
from slad.tables.kinds.number import LARGEST, NumberEncoder, as_floats

TOLERANCE = 1e-5
"""In units of scores. Model and graph both multiply in single precision and sum in different
orders, so each is up to about 1e-6 from exact sums, and further when the spread of losses is small
compared to the losses. With the default recipe they agree to 1e-6."""
MOST_BYTES = 2**31 - 2**20
"""The largest graph that one file can hold."""


def export(model: TableDetector, path: str | os.PathLike[str]) -> None:
    """Write the graph aside, check it, then rename."""
    import onnx
    from onnx import TensorProto, helper

    _check(model)
    columns = [each.name for each in model.fold_models_[0].encoder.columns]
    graph = Graph()
    score = graph.mean(
        [_standard_score(graph, fold_model, len(columns)) for fold_model in model.fold_models_]
    )
    graph.result(score, "score")
    threshold = model.make_rule().threshold(np.empty(0), np.empty(0), model.calibration_)
    level = np.inf if threshold is None else threshold
    graph.result(graph("GreaterOrEqual", score, np.float64(level)), "strange")
    made = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "slad",
            [helper.make_tensor_value_info("rows", TensorProto.DOUBLE, ["n", len(columns)])],
            [
                helper.make_tensor_value_info("score", TensorProto.DOUBLE, ["n"]),
                helper.make_tensor_value_info("strange", TensorProto.BOOL, ["n"]),
            ],
            graph.constants,
        ),
        producer_name="slad",
        producer_version=__version__,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    made.ir_version = 9  # what runtimes of the last years read
    helper.set_model_props(
        made,
        {"columns": json.dumps(columns), "rule": model.make_rule().sentence(model.calibration_)},
    )
    if made.ByteSize() > MOST_BYTES:
        raise ConfigError(
            f"the graph would take {made.ByteSize() / 2**30:.1f} GB, and an ONNX file holds 2: fit "
            "with fewer groups or ensemble members"
        )
    onnx.checker.check_model(made)
    with written_aside(Path(path)) as aside:
        aside.write_bytes(made.SerializeToString())


def check_export(model: TableDetector, path: str | os.PathLike[str]) -> float:
    """The largest difference between the scores of graph and model, over the model's normal rows.

    If it is above 1e-5 in units of scores, the file is removed and an error raised.
    """
    import onnxruntime

    rows = model.normal_
    names = [each.name for each in model.fold_models_[0].encoder.columns]
    cells = np.column_stack([as_floats(rows.column(name)) for name in names])
    session = onnxruntime.InferenceSession(os.fspath(path), providers=["CPUExecutionProvider"])
    found = session.run(["score"], {"rows": cells})[0]
    expected = model.judge(rows).scores
    worst = float(np.max(np.abs(found - expected) / np.maximum(1.0, np.abs(expected))))
    if not worst <= TOLERANCE:
        Path(path).unlink()
        raise ConfigError(
            f"the graph's scores differ from the model's by {worst:.2g}, so {path} was removed: "
            "please report this"
        )
    return worst


def _check(model: TableDetector) -> None:
    """ConfigError for a model that has no graph, with the reason."""
    if not model.make_rule().by_row:
        raise ConfigError(
            f"the rule {model.rule} needs all rows at once: set fpr or contamination first"
        )
    for column in model.fold_models_[0].encoder.columns:
        if not KINDS[column.kind].is_numeric:
            raise ConfigError(
                f"column {column.name!r} is {column.kind}, and an ONNX graph takes only numbers: "
                "drop it, or score with slad"
            )
    require(Capability.ONNX, model.fold_models_[0].detector, model.detector)


def _standard_score(graph: Graph, fold_model: FoldModel, n_columns: int) -> str:
    """The standardised score of every row under one fold's model."""
    writer = cast("WritesOnnx", fold_model.detector)
    score = writer.write_onnx(graph, _encoded(graph, fold_model, n_columns))
    standard = fold_model.standard.standard
    centred = graph("Sub", score, np.float64(standard.centre))
    return graph("Div", centred, np.float64(standard.spread))


def _encoded(graph: Graph, fold_model: FoldModel, n_columns: int) -> str:
    """`NumberEncoder` on all columns at once: gaps and infinities filled, signals of gaps added."""
    encoders = [each for each in fold_model.encoder.encoders if isinstance(each, NumberEncoder)]
    below, above = np.array([encoder.beyond for encoder in encoders]).T
    gap = np.array(
        [top if e.missing == 0 else e.median for e, top in zip(encoders, above, strict=True)]
    )
    missing = graph("IsNaN", "rows")
    filled = graph("Min", graph("Max", "rows", np.float64(-LARGEST)), np.float64(LARGEST))
    filled = _drawn_in(graph, filled, [encoder.fences for encoder in encoders])
    filled = graph("Where", graph("IsInf", "rows", detect_negative=0), above, filled)
    filled = graph("Where", graph("IsInf", "rows", detect_positive=0), below, filled)
    filled = graph("Where", missing, gap, filled)
    with_gaps = [at for at, encoder in enumerate(encoders) if encoder.missing > 0]
    if not with_gaps:
        return filled
    signals = np.array([_signal(encoders[at].missing) for at in with_gaps])
    gaps = graph("Gather", missing, np.array(with_gaps), axis=1)
    signal = graph("Where", gaps, signals[:, 1], signals[:, 0])
    order: list[int] = []
    for at in range(n_columns):
        order += [at] + ([n_columns + with_gaps.index(at)] if at in with_gaps else [])
    return graph("Gather", graph("Concat", filled, signal, axis=1), np.array(order), axis=1)


def _drawn_in(graph: Graph, rows: str, fences: Sequence[Fences | None]) -> str:
    """`Fences.drawn_in` on all columns at once; those without fences stay."""
    if not any(fences):
        return rows
    open_ = Fences(-LARGEST, LARGEST, 1.0)
    low, high, unit = np.array([astuple(each or open_) for each in fences]).T
    inside = graph("Min", graph("Max", rows, low), high)
    beyond = graph("Sub", rows, inside)
    units = graph("Min", graph("Div", graph("Abs", beyond), unit), np.float64(MOST))
    nearer = graph("Mul", graph("Log", graph("Add", units, np.float64(1.0))), unit)
    return graph("Add", inside, graph("Mul", graph("Sign", beyond), nearer))


def _signal(missing: float) -> tuple[float, float]:
    """The signals of a cell that is present and of one that is missing."""
    share = np.array([1 - missing, missing])
    there, gone = np.log(share.max() / np.maximum(share, 1e-9))
    return float(there), float(gone)
