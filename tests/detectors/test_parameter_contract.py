from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
import torch

from recipes import SMALL, table
from slad import SLAD
from slad.core.errors import ConfigError
from slad.detectors import DETECTORS

BAD = [
    ("n_groups", 0),
    ("n_groups", 2.5),
    ("n_groups", "20"),
    ("n_groups", True),
    ("n_groups", None),
    ("n_groups", float("nan")),
    ("n_groups", float("inf")),
    ("group_size", 1),
    ("representation_dim", 0),
    ("magnification", -1.0),
    ("magnification", float("nan")),
    ("magnification", float("inf")),
    ("weighting_threshold", -1),
    ("length_pool", 0),
    ("replace_up_to", -1),
    ("maps", "quadratic"),
    ("maps", None),
    ("maps", ["affine"]),
    ("loss", "x"),
    ("scaling", "quantile"),
    ("row_sampling", "some"),
    ("hidden_dim", 0),
    ("epochs", 0),
    ("batch_size", 0),
    ("learning_rate", -1e-3),
    ("learning_rate", float("inf")),
    ("weight_decay", -1),
    ("n_members", 0),
    ("patience", 0),
    ("contamination", 0.9),
    ("contamination", -0.1),
    ("contamination", "lots"),
    ("contamination", None),
    ("random_state", -1),
    ("random_state", "seed"),
    ("device", "toaster"),
]


@pytest.mark.parametrize(("name", "value"), BAD, ids=[f"{n}={v!r}" for n, v in BAD])
def test_a_value_that_cannot_work_is_refused_by_name(name, value):
    detector = SLAD(**SMALL | {name: value})
    with pytest.raises(ConfigError) as caught:
        detector.fit(table(30, 3))
    assert f"{name}={value!r}" in str(caught.value)


BAD_OF_OTHERS = [
    *(("IsolationForest", "n_estimators", value) for value in (0, 2.5, "100", True, None)),
    *(("IsolationForest", "max_samples", value) for value in (0, 0.5, "auto", None)),
    *((name, "n_neighbors", value) for name in ("KNN", "LOF") for value in (0, 1.5, "5", None)),
    *((name, "scaling", "quantile") for name in ("KNN", "LOF", "OneClassSVM")),
    *((name, "device", "toaster") for name in ("KNN", "LOF")),
    ("KNN", "aggregation", "median"),
    ("KNN", "aggregation", None),
    *(("OneClassSVM", "nu", value) for value in (0, 1, 1.5, -0.1, "half", None, float("nan"))),
    *(("OneClassSVM", "gamma", value) for value in ("wide", -1.0, None, float("inf"))),
    *(("OneClassSVM", "max_rows", value) for value in (0, 10.5, "all")),
    *((name, "random_state", -1) for name in ("IsolationForest", "OneClassSVM")),
    *((name, "contamination", value) for name in DETECTORS for value in (0.9, "lots", None)),
]


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    BAD_OF_OTHERS,
    ids=[f"{n}.{p}={v!r}" for n, p, v in BAD_OF_OTHERS],
)
def test_a_value_that_cannot_work_is_refused_by_name_by_the_others_too(name, parameter, value):
    detector = DETECTORS[name](**{parameter: value})
    with pytest.raises(ConfigError) as caught:
        detector.fit(table(30, 3))
    assert f"{parameter}={value!r}" in str(caught.value)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_cuda_without_a_gpu_is_refused():
    with pytest.raises(ConfigError, match="device='cuda'"):
        SLAD(**SMALL | {"device": "cuda"}).fit(table(30, 3))


GOOD = [
    ("n_groups", np.int64(3)),
    ("epochs", np.int32(2)),
    ("contamination", np.float32(0.1)),
    ("contamination", 0),
    ("learning_rate", np.float32(1e-2)),
    ("magnification", 100),
    ("device", torch.device("cpu")),
    ("random_state", np.random.RandomState(0)),
    ("random_state", np.random.default_rng(0)),
    ("length_pool", 1),
    ("patience", 1),
    ("hidden_dim", 1),
    ("representation_dim", 1),
    ("batch_size", 1),
    ("group_size", 2),
    ("n_groups", 1),
]


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@pytest.mark.parametrize(("name", "value"), GOOD, ids=[f"{n}={type(v)}" for n, v in GOOD])
def test_values_at_the_edge_and_of_numpy_s_types_work(name, value):
    detector = SLAD(**SMALL | {"epochs": 1} | {name: value}).fit(table(12, 3))
    assert np.isfinite(detector.anomaly_score(table(12, 3))).all()


@pytest.mark.parametrize("name", ["n_groups", "group_size", "epochs", "batch_size", "n_members"])
def test_a_whole_number_in_the_shape_of_a_float_works_or_is_refused(name):
    with suppress(ConfigError):
        assert SLAD(**SMALL | {name: 2.0}).fit(table(12, 3)).anomaly_score(table(5, 3)).all()


def test_the_constructor_only_stores():
    assert SLAD(n_groups="nonsense").n_groups == "nonsense"


def test_recipes_take_overrides():
    assert SLAD.released(epochs=7).epochs == 7
    assert SLAD.paper(loss="kl").loss == "kl"


def test_the_released_recipe_is_what_the_authors_ran():
    recipe = SLAD.released().get_params()
    expected = {
        "n_groups": 20,
        "group_size": 10,
        "representation_dim": 128,
        "magnification": 200,
        "weighting_threshold": 50,
        "hidden_dim": 100,
        "rescale_weights": True,
        "length_pool": 50,
        "replace_up_to": 10,
        "maps": "linear_per_length",
        "loss": "released",
        "scaling": "minmax",
        "row_sampling": "bootstrap",
        "bias": False,
        "epochs": 100,
        "batch_size": 128,
        "learning_rate": 1e-3,
        "weight_decay": 1e-5,
        "n_members": 1,
    }
    assert {name: recipe[name] for name in expected} == expected


def test_the_paper_recipe_is_what_the_text_says():
    recipe = SLAD.paper().get_params()
    expected = {
        "n_groups": 20,
        "group_size": 10,
        "representation_dim": 128,
        "magnification": 200,
        "rescale_weights": False,
        "length_pool": None,
        "replace_up_to": 0,
        "maps": "affine",
        "loss": "jensen_shannon",
        "row_sampling": "all",
        "weight_decay": 0,
        "learning_rate": 1e-3,
        "batch_size": 128,
    }
    assert {name: recipe[name] for name in expected} == expected
