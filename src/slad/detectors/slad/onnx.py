"""SLAD's scoring as an ONNX graph: scaling, the folded networks, the losses of the groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from torch import Tensor

from slad.core.errors import ConfigError
from slad.detectors.parts.onnx_graph import Graph
from slad.detectors.parts.scaling import Scaler
from slad.detectors.parts.statistics import CLIP
from slad.detectors.slad.network import SLOPE
from slad.detectors.slad.scoring import ScaleScorer

if TYPE_CHECKING:
    from slad.detectors.slad.estimator import SLAD


def write_scores(detector: SLAD, graph: Graph, rows: str) -> str:
    """Add the anomaly score of encoded rows: the mean loss over groups and ensemble members."""
    if detector.loss not in LOSSES:
        raise ConfigError(f"loss={detector.loss!r} has no ONNX graph; {', '.join(LOSSES)} have")
    if not all(scorer.maps.is_linear for scorer in detector._scorers):
        raise ConfigError(f"maps={detector.maps!r} are not linear, and have no ONNX graph")
    scaled = graph.cast(_scaled(graph, detector._scaler, rows), np.float32)
    loss = LOSSES[detector.loss]
    return graph.mean([_losses(graph, scorer, scaled, loss) for scorer in detector._scorers])


def _scaled(graph: Graph, scaler: Scaler, encoded: str) -> str:
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
    for folded in scorer.folded().cpu().numpy():  # subspaces x units, features + 1
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
