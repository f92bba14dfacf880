"""A saved model as one ONNX graph: encoding, scaling, scoring and the decision, for any runtime.

    export(TableDetector.load("orders.slad"), "orders.onnx")

Input `rows`: as many rows as you like, the columns that `metadata_props["columns"]` lists, in
double precision, NaN where a cell is missing. Outputs: `score`, and `strange` by the model's rule.
Only SLAD on tables of numbers can be written so; all else is refused with the reason.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from torch import Tensor

from slad.core.errors import ConfigError
from slad.core.files import written_aside
from slad.core.version import __version__
from slad.detectors.slad.estimator import SLAD
from slad.detectors.slad.network import SLOPE
from slad.detectors.slad.scoring import ScaleScorer
from slad.engines.onnx_graph import OPSET, Graph
from slad.model import TableDetector
from slad.model.member import Member
from slad.tables.kinds import KINDS
from slad.tables.kinds.number import LARGEST, NumberEncoder, as_floats

CLIP = 10.0
TOLERANCE = 1e-5
"""Of the unit of scores. Model and graph both multiply in single precision, and sum in another
order: each is up to some 1e-6 away from exact sums, the more the smaller the spread of losses is
against the losses. With the default recipe they agree to 1e-6."""
MOST_BYTES = 2**31 - 2**20
"""What a graph may hold in one file."""


def export(model: TableDetector, path: str | os.PathLike[str]) -> None:
    """Write the graph aside, check it, then rename."""
    import onnx
    from onnx import TensorProto, helper

    _check(model)
    columns = [each.name for each in model.members_[0].encoder.columns]
    graph = Graph()
    scores = [_member(graph, member, len(columns)) for member in model.members_]
    score = _mean(graph, scores)
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
            "with fewer groups or members"
        )
    onnx.checker.check_model(made)
    with written_aside(Path(path)) as aside:
        aside.write_bytes(made.SerializeToString())


def check_export(model: TableDetector, path: str | os.PathLike[str]) -> float:
    """The largest difference between scores of the graph and of the model, over normal rows.

    An error, and no file, where it is more than 1e-5 of the unit of scores.
    """
    import onnxruntime

    rows = model.normal_
    names = [each.name for each in model.members_[0].encoder.columns]
    cells = np.column_stack([as_floats(rows.column(name)) for name in names])
    session = onnxruntime.InferenceSession(os.fspath(path), providers=["CPUExecutionProvider"])
    found = session.run(["score"], {"rows": cells})[0]
    expected = model.judge(rows).scores
    worst = float(np.max(np.abs(found - expected) / np.maximum(1.0, np.abs(expected))))
    if not worst <= TOLERANCE:
        Path(path).unlink()
        raise ConfigError(
            f"the graph's scores differ from the model's by {worst:.2g}, and it was not kept: "
            "please report this"
        )
    return worst


def _check(model: TableDetector) -> None:
    """An error for what has no graph, with the reason."""
    if not model.make_rule().by_row:
        raise ConfigError(
            f"the rule {model.rule} looks at all rows together: set fpr or contamination first"
        )
    for column in model.members_[0].encoder.columns:
        if not KINDS[column.kind].is_numeric:
            raise ConfigError(
                f"column {column.name!r} is {column.kind}, and only numbers can be written as an "
                "ONNX graph: drop it, or score with slad"
            )
    detector = model.members_[0].detector
    if not isinstance(detector, SLAD):
        raise ConfigError(
            f"{type(detector).__name__} cannot be written as an ONNX graph: fit "
            "slad, slad-released or slad-paper, which can"
        )
    if detector.loss not in LOSSES:
        raise ConfigError(f"loss={detector.loss!r} has no ONNX graph; {', '.join(LOSSES)} have")
    if not all(scorer.maps.is_linear for scorer in detector._scorers):
        raise ConfigError(f"maps={detector.maps!r} are not linear, and have no ONNX graph")


def _member(graph: Graph, member: Member, n_columns: int) -> str:
    """The standardised score of every row under one member."""
    detector = member.detector
    assert isinstance(detector, SLAD)
    scaled = graph.cast(_scaled(graph, detector, _encoded(graph, member, n_columns)), np.float32)
    losses = [_losses(graph, scorer, scaled, LOSSES[detector.loss]) for scorer in detector._scorers]
    mean = _mean(graph, losses)
    standard = member.standard.standard
    return graph(
        "Div", graph("Sub", mean, np.float64(standard.centre)), np.float64(standard.spread)
    )


def _mean(graph: Graph, names: Sequence[str]) -> str:
    """Of several tensors; ONNX's own Mean has no double precision in common runtimes."""
    total = names[0]
    for name in names[1:]:
        total = graph("Add", total, name)
    return graph("Div", total, np.float64(len(names)))


def _encoded(graph: Graph, member: Member, n_columns: int) -> str:
    """`NumberEncoder`, all columns at once: gaps and infinities filled, signals beside them."""
    encoders = [each for each in member.encoder.encoders if isinstance(each, NumberEncoder)]
    spans = [min((e.high - e.low) or abs(e.high) or 1.0, LARGEST) for e in encoders]
    above = np.array([e.high + span for e, span in zip(encoders, spans, strict=True)])
    below = np.array([e.low - span for e, span in zip(encoders, spans, strict=True)])
    gap = np.array(
        [top if e.missing == 0 else e.median for e, top in zip(encoders, above, strict=True)]
    )
    missing = graph("IsNaN", "rows")
    filled = graph("Min", graph("Max", "rows", np.float64(-LARGEST)), np.float64(LARGEST))
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


def _signal(missing: float) -> tuple[float, float]:
    """Of a cell that is there, and of one that is not."""
    share = np.array([1 - missing, missing])
    there, gone = np.log(share.max() / np.maximum(share, 1e-9))
    return float(there), float(gone)


def _scaled(graph: Graph, detector: SLAD, encoded: str) -> str:
    scaler = detector._scaler
    z = graph("Div", graph("Sub", encoded, scaler.center), scaler.scale)
    if scaler.kind in ("standard", "robust"):
        return graph("Min", graph("Max", z, np.float64(-CLIP)), np.float64(CLIP))
    if scaler.kind == "signed_log":
        size = graph("Log", graph("Add", graph("Abs", z), np.float64(1)))
        return graph("Mul", graph("Sign", z), size)
    return z


def _losses(graph: Graph, scorer: ScaleScorer, scaled: str, loss: LossGraph) -> str:
    """The mean loss of a row over the groups of one network.

    Group by group, so that a runtime holds the hidden units of one group at a time: of all of
    them, 10,000 rows would take gigabytes.
    """
    units, size = scorer.network.hidden_dim, scorer.group_size
    output = graph.constant(scorer.weights["output"].T.contiguous().cpu().numpy())
    shape = graph.constant(np.array([0, 1, size, units]))
    last = graph.constant(np.array([-1]))
    groups = []
    for folded in scorer._fold().cpu().numpy():  # subspaces x units, features + 1
        hidden = graph("Gemm", scaled, folded[:, :-1], folded[:, -1], transB=1)
        by_unit = graph("Reshape", graph("LeakyRelu", hidden, alpha=SLOPE), shape)
        groups.append(graph("Squeeze", graph("MatMul", by_unit, output), last))
    scales = graph("Concat", *groups, axis=1)
    target = scorer.target[:, 0, :, 0]
    values = loss(graph, graph.cast(scales, np.float64), target)
    return graph("ReduceMean", values, np.array([1]), keepdims=0)


# -- the losses: groups x subspaces -> one value a group -------------------------------------------

LossGraph = Callable[[Graph, str, Tensor], str]


def _sum(graph: Graph, name: str, keep: int = 0) -> str:
    return graph("ReduceSum", name, np.array([-1]), keepdims=keep)


def _entropy(target: np.ndarray) -> np.ndarray:
    return np.where(target > 0, target * np.log(np.maximum(target, 1e-300)), 0.0)


def _kl(graph: Graph, p: str, target: Tensor) -> str:
    y = target.double().cpu().numpy()
    cross = _sum(graph, graph("Mul", graph("LogSoftmax", p, axis=-1), y))
    return graph("Sub", _entropy(y).sum(-1), cross)


def _jensen_shannon(graph: Graph, p: str, target: Tensor) -> str:
    y = target.double().cpu().numpy()
    log_p = graph("LogSoftmax", p, axis=-1)
    probability = graph("Exp", log_p)
    mixed = graph("Max", graph("Add", probability, y), np.float64(np.finfo(np.float32).tiny))
    log_middle = graph("Sub", graph("Log", mixed), np.float64(np.log(2.0)))
    from_p = graph("Mul", probability, graph("Sub", log_p, log_middle))
    from_y = graph("Sub", _entropy(y), graph("Mul", log_middle, y))
    return graph("Mul", _sum(graph, graph("Add", from_p, from_y)), np.float64(0.5))


def _released(graph: Graph, p: str, target: Tensor) -> str:
    y = target.double().cpu().numpy()
    probability = graph("Softmax", p, axis=-1)
    half = graph("Mul", graph("Add", probability, y), np.float64(0.5))
    middle = graph("Max", half, np.float64(np.finfo(np.float32).tiny))
    inner = _sum(graph, graph("Mul", middle, graph("Sub", graph("Log", middle), middle)))
    mass = graph("Mul", _sum(graph, graph("Exp", probability)), np.exp(y).sum(-1))
    return graph("Add", graph("Mul", inner, np.float64(2)), graph("Log", mass))


LOSSES: dict[str, LossGraph] = {
    "kl": _kl,
    "jensen_shannon": _jensen_shannon,
    "released": _released,
}
