"""An ONNX graph in the making."""

from __future__ import annotations

import numpy as np
import pytest
from onnx_results import computed, onnx

from slad.detectors.parts.onnx_graph import Graph

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]


def test_arrays_and_numbers_become_constants_and_operations_get_names_of_their_own():
    graph = Graph()
    first = graph("Sub", "x", np.array([1.0, 2.0]))
    second = graph("Div", first, np.float64(4))
    assert len({first, second, "x"} | {each.name for each in graph.constants}) == 5
    found = computed(graph, second, np.array([[5.0, 4.0]]))
    np.testing.assert_array_equal(found, [[1.0, 0.5]])


def test_a_constant_keeps_its_type_and_shape():
    graph = Graph()
    values = np.arange(6, dtype=np.float32).reshape(2, 3)
    name = graph.constant(values)
    (kept,) = graph.constants
    assert kept.name == name
    found = onnx.numpy_helper.to_array(kept)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize("count", [1, 3])
def test_the_mean_is_in_double_precision(count):
    graph = Graph()
    parts = [graph("Mul", "x", np.float64(factor + 1)) for factor in range(count)]
    x = np.array([1 / 3, 1e9 + 1e-6])
    found = computed(graph, graph.mean(parts), x)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, x * (count + 1) / 2, rtol=1e-15)


def test_a_cast_changes_the_type():
    graph = Graph()
    found = computed(graph, graph.cast("x", np.float32), np.array([0.1]), "FLOAT")
    assert found.dtype == np.float32


def test_attributes_reach_the_operation():
    graph = Graph()
    found = computed(graph, graph("LeakyRelu", "x", alpha=0.5), np.array([-2.0, 2.0]))
    np.testing.assert_array_equal(found, [-1.0, 2.0])


def test_graphs_share_nothing():
    one, other = Graph(), Graph()
    one("Abs", "x")
    assert other.nodes == other.constants == []
