from __future__ import annotations

import numpy as np
import pytest

import slad
from recipes import table
from slad.core.artifact import write_artifact
from slad.core.errors import ArtifactError, ConfigError
from slad.detectors import DETECTORS, KNN, SLAD, Detector, NeighborScale, registry

DETERMINISTIC = {"knn-1", "knn-5", "dte-np", "lof", "ecod", "copod", "pca", "mahalanobis"}


@pytest.mark.parametrize("name", registry.names())
def test_every_name_makes_an_unfitted_detector_that_can_be_loaded_again(name, tmp_path):
    detector = registry.make(name)
    assert isinstance(detector, Detector)
    assert not hasattr(detector, "offset_")
    assert DETECTORS[type(detector).__name__] is type(detector)
    assert type(detector).__name__ == registry.RECIPES[name].class_name
    cheap = {"epochs": 1} if "epochs" in detector.get_params() else {}
    detector = registry.make(name, **cheap).fit(table(60, 4))
    detector.save(tmp_path / "model")
    assert type(slad.load(tmp_path / "model")) is type(detector)


def test_recipes_of_slad_are_the_default_and_the_paper_s_three():
    for name, expected in {
        "neighbor-scale": NeighborScale(),
        "slad": SLAD(),
        "slad-released": SLAD.released(),
        "slad-paper": SLAD.paper(),
    }.items():
        assert registry.make(name).get_params() == expected.get_params()


def test_parameters_are_passed_on():
    assert registry.make("slad-released", epochs=7).epochs == 7
    assert registry.make("knn-5", aggregation="mean").aggregation == "mean"
    assert registry.make("knn-1").n_neighbors == 1
    assert registry.make("knn-5").n_neighbors == 5


@pytest.mark.parametrize("name", registry.names())
def test_deterministic_is_what_has_no_seed(name):
    assert registry.is_deterministic(name) == (name in DETERMINISTIC)


@pytest.mark.parametrize("name", sorted(DETERMINISTIC))
def test_deterministic_detectors_fit_the_same_twice(name):
    X = table(60, 4)
    first, second = (registry.make(name).fit(X).anomaly_score(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(ConfigError, match=r"no detector is called 'isoforest'.*iforest"):
        registry.make("isoforest")
    with pytest.raises(ConfigError, match="knn-1, knn-5"):
        registry.is_deterministic("knn")


@pytest.mark.parametrize("name", registry.names())
def test_an_unknown_parameter_is_named_beside_those_there_are(name):
    with pytest.raises(ConfigError, match=rf"{name} has no parameter 'nonsense'.*contamination"):
        registry.make(name, nonsense=1)


def test_what_a_name_fixes_stays_fixed():
    with pytest.raises(ConfigError, match="knn-5 fixes n_neighbors=5; use the class KNN"):
        registry.make("knn-5", n_neighbors=3)
    assert KNN(n_neighbors=3).n_neighbors == 3


def test_a_saved_model_of_an_unknown_kind_is_refused(tmp_path):
    write_artifact(tmp_path / "model", {"detector": "Oracle"}, {})
    with pytest.raises(ArtifactError, match=r"unknown detector, 'Oracle'; known: SLAD, Lear"):
        registry.load(tmp_path / "model")
