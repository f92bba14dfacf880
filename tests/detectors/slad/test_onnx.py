"""SLAD's scoring as an ONNX graph computes SLAD's scores, and what has no graph is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from onnx_results import computed

from recipes import SMALL, table
from slad import SLAD
from slad.core.errors import ConfigError
from slad.detectors.parts.onnx_graph import Graph
from slad.detectors.parts.scaling import SCALINGS
from slad.detectors.slad import loss as losses
from slad.detectors.slad.onnx import LOSSES, write_scores

pytestmark = [pytest.mark.engines, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("name", list(LOSSES))
def test_a_loss_is_that_of_training_also_where_scales_saturate(name):
    scales = np.random.default_rng(0).normal(size=(50, 3, 4))
    scales[0] *= 1e3
    labels = torch.from_numpy(np.random.default_rng(1).normal(size=(3, 4)))
    labels[0] *= 1e3
    loss = losses.LOSSES[name]
    target = loss.target(labels)
    expected = loss.value(torch.from_numpy(scales), target).squeeze(-1)
    graph = Graph()
    found = computed(graph, LOSSES[name](graph, "x", target), scales)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("scaling", list(SCALINGS))
def test_a_graph_scales_and_scores_as_the_detector_far_from_the_training_rows_too(scaling):
    train, test = table(80, 5), table(40, 5, seed=1)
    test[0] *= 1e4
    detector = SLAD(**SMALL | {"scaling": scaling, "n_members": 2}).fit(train)
    graph = Graph()
    found = computed(graph, write_scores(detector, graph, "x"), test)
    np.testing.assert_allclose(found, detector.anomaly_score(test), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", sorted(losses.LOSSES.keys() - LOSSES.keys()))
def test_a_loss_without_a_graph_is_refused_with_those_that_have_one(name):
    detector = SLAD(**SMALL | {"loss": name, "epochs": 1}).fit(table(60, 5))
    with pytest.raises(ConfigError, match=f"loss='{name}' has no ONNX graph; kl, jensen_shannon"):
        write_scores(detector, Graph(), "x")


def test_maps_that_are_not_linear_are_refused():
    detector = SLAD(**SMALL | {"maps": "random_mlp", "epochs": 1}).fit(table(60, 5))
    with pytest.raises(ConfigError, match="maps='random_mlp' are not linear"):
        write_scores(detector, Graph(), "x")
