"""What a runtime computes from an ONNX graph in the making."""

from __future__ import annotations

import numpy as np
import pytest

from slad.detectors.parts.onnx_graph import OPSET, Graph

onnx = pytest.importorskip("onnx", reason="pip install 'slad[onnx]'")
runtime = pytest.importorskip("onnxruntime", reason="pip install 'slad[onnx]'")


def computed(graph: Graph, name: str, x: np.ndarray, dtype: str = "DOUBLE") -> np.ndarray:
    """The tensor of this name, with the graph's input "x"."""
    graph.result(name, "result")
    helper, types = onnx.helper, onnx.TensorProto
    inputs = [helper.make_tensor_value_info("x", types.DOUBLE, [None] * x.ndim)]
    outputs = [helper.make_tensor_value_info("result", getattr(types, dtype), None)]
    made = helper.make_graph(graph.nodes, "test", inputs, outputs, graph.constants)
    opset = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(made, opset_imports=opset, ir_version=9)
    found: np.ndarray = runtime.InferenceSession(model.SerializeToString()).run(None, {"x": x})[0]
    return found
