from __future__ import annotations

import io
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError

import slad
from recipes import MODELS, SMALL, every_model, every_slad, make, seeded_models, table
from slad import SLAD
from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError, ConfigError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.slad"


def wrapped(X: np.ndarray, sparse: bool) -> np.ndarray | csr_array:
    """The table, or a sparse one with too few cells to be taken for dense."""
    return csr_array(X * (np.random.default_rng(0).uniform(size=X.shape) < 0.09)) if sparse else X


def assert_same(loaded, detector, X, methods=("anomaly_score", "predict", "decision_function")):
    assert type(loaded) is type(detector)
    assert loaded.get_params() == detector.get_params()
    for name in ("offset_", "seed_", "history_", "n_neighbors_", "gamma_"):
        assert getattr(loaded, name, None) == getattr(detector, name, None)
    for method in methods:
        for rows in (X, csr_array(X)):
            expected = getattr(detector, method)(rows)
            np.testing.assert_array_equal(getattr(loaded, method)(rows), expected)


@every_model
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("d", [6, 30])
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_a_loaded_model_is_the_saved_one_to_the_bit(model, sparse, d, path):
    detector = MODELS[model](contamination=0.1).fit(wrapped(table(120, d), sparse))
    detector.save(path)
    assert_same(slad.load(path), detector, table(120, d))


@every_slad
@pytest.mark.parametrize("n_members", [1, 2])
def test_losses_and_scales_of_a_loaded_model_are_those_of_the_saved_one(model, n_members, path):
    detector = MODELS[model](n_members=n_members).fit(table(120, 6))
    detector.save(path)
    assert_same(slad.load(path), detector, table(50, 6), ("group_losses", "transform"))


@seeded_models
def test_the_seed_of_a_loaded_model_repeats_its_fit(model, path):
    X = table(120, 6)
    detector = MODELS[model](random_state=None).fit(X)
    detector.save(path)
    again = MODELS[model](random_state=slad.load(path).seed_).fit(X)
    np.testing.assert_array_equal(again.anomaly_score(X), detector.anomaly_score(X))


@every_model
def test_parameters_set_after_the_fit_change_no_score(model):
    X = table(60, 5)
    detector = make(model, aggregation="largest").fit(X)
    expected = detector.anomaly_score(X)
    others = {"n_neighbors": 2, "aggregation": "mean", "gamma": 9.0, "max_samples": 3, "nu": 0.1}
    known = detector.get_params()
    detector.set_params(**{name: value for name, value in others.items() if name in known})
    np.testing.assert_array_equal(detector.anomaly_score(X), expected)


def test_feature_names_are_kept_and_compared(path):
    frame = pd.DataFrame(table(50, 3), columns=["a", "ü", "c c"])
    detector = SLAD(**SMALL).fit(frame)
    detector.save(path)
    loaded = slad.load(path)
    assert list(loaded.feature_names_in_) == list(frame.columns)
    np.testing.assert_array_equal(loaded.anomaly_score(frame), detector.anomaly_score(frame))
    with pytest.raises(ValueError, match="feature names"):
        loaded.anomaly_score(frame[["ü", "a", "c c"]])


@pytest.mark.parametrize(
    "parameters",
    [
        {"random_state": np.random.RandomState(3)},
        {"random_state": np.random.default_rng(3)},
        {"random_state": None},
        {"epochs": np.int64(2), "learning_rate": np.float64(0.01)},
        {"device": torch.device("cpu")},
    ],
    ids=["RandomState", "Generator", "None", "numpy numbers", "torch device"],
)
def test_models_with_parameters_that_are_not_plain_can_be_saved(parameters, path):
    X = table(50, 3)
    detector = SLAD(**SMALL | parameters).fit(X)
    detector.save(path)
    np.testing.assert_array_equal(slad.load(path).anomaly_score(X), detector.anomaly_score(X))


@every_model
def test_a_saved_model_can_be_saved_again_and_fitted_again(model, path):
    X, other = table(50, 3), table(60, 5)
    MODELS[model]().fit(X).save(path)
    loaded = slad.load(path)
    before = path.read_bytes()
    loaded.save(path)
    assert path.read_bytes() == before
    fresh = MODELS[model]().fit(other).anomaly_score(other)
    np.testing.assert_array_equal(loaded.fit(other).anomaly_score(other), fresh)


def test_parameters_can_be_overridden_at_loading(path):
    SLAD(**SMALL | {"device": "auto"}).fit(table(50, 3)).save(path)
    assert slad.load(path, device="cpu").device == "cpu"
    assert SLAD.load(path, verbose=True).verbose
    with pytest.raises(ConfigError, match="toaster"):
        slad.load(path, device="toaster")
    with pytest.raises(ValueError, match="nonsense"):
        slad.load(path, nonsense=1)


def test_a_model_without_a_device_has_none_to_override(path):
    MODELS["ECOD"]().fit(table(50, 3)).save(path)
    with pytest.raises(ConfigError, match="device of a ECOD cannot change"):
        slad.load(path, device="cpu")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_groups", 2),
        ("hidden_dim", 5),
        ("n_members", 2),
        ("group_size", 8),
        ("representation_dim", 8),
        ("bias", False),
    ],
)
def test_an_override_that_contradicts_the_saved_networks_is_refused(name, value, path):
    SLAD(**SMALL).fit(table(50, 3)).save(path)
    with pytest.raises((ArtifactError, ConfigError)):
        slad.load(path, **{name: value})


def test_an_unfitted_detector_cannot_be_saved(path):
    with pytest.raises(NotFittedError):
        SLAD().save(path)
    assert not path.exists()


def test_a_model_of_another_class_is_named(path):
    write_artifact(path, {"detector": "Forest"}, {})
    with pytest.raises(ArtifactError, match="Forest"):
        slad.load(path)
    with pytest.raises(ArtifactError, match="Forest"):
        SLAD.load(path)


@every_model
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_a_model_that_misses_a_part_is_refused(model, sparse, path):
    MODELS[model]().fit(wrapped(table(50, 12), sparse)).save(path)
    description, arrays = read_artifact(path)
    for name in arrays:
        write_artifact(path, description, {key: arrays[key] for key in arrays if key != name})
        with pytest.raises(ArtifactError, match="does not fit this version"):
            slad.load(path)
    for name in description["fitted"]:
        fitted = {key: value for key, value in description["fitted"].items() if key != name}
        write_artifact(path, description | {"fitted": fitted}, arrays)
        with pytest.raises(ArtifactError, match="does not fit this version"):
            slad.load(path)
    write_artifact(path, description | {"parameters": {"gone": 1}}, arrays)
    with pytest.raises(ArtifactError, match=r"does not fit this version.*gone"):
        slad.load(path)
    write_artifact(path, {}, arrays)
    with pytest.raises(ArtifactError):
        slad.load(path)


@every_model
@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 0.95])
def test_a_model_cut_short_or_altered_is_refused(model, path, share):
    MODELS[model]().fit(table(50, 3)).save(path)
    whole = bytearray(path.read_bytes())
    place = int(share * len(whole))
    path.write_bytes(whole[:place])
    with pytest.raises(ArtifactError):
        slad.load(path)
    whole[place] ^= 1
    path.write_bytes(whole)
    with pytest.raises(ArtifactError):
        slad.load(path)


@every_model
def test_loading_unpickles_nothing(model, path, monkeypatch):
    def forbidden(*args, **options):
        raise AssertionError("something was unpickled")

    MODELS[model]().fit(table(50, 3)).save(path)
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, forbidden)
    monkeypatch.setattr(torch, "load", forbidden)
    assert slad.load(path).n_features_in_ == 3
    with pytest.raises(AssertionError, match="unpickled"):
        pickle.load(io.BytesIO())


def test_models_load_in_another_process_with_the_same_scores(tmp_path):
    X = table(50, 3)
    expected = []
    for number, model in enumerate(MODELS.values()):
        detector = model().fit(X)
        detector.save(tmp_path / str(number))
        expected.append(detector.anomaly_score(X))
    program = (
        "import sys, slad, torch, numpy as np; torch.set_num_threads(1);"
        "X = np.frombuffer(sys.stdin.buffer.read()).reshape(50, 3);"
        "scores = [slad.load(path).anomaly_score(X) for path in sys.argv[1:]];"
        "sys.stdout.buffer.write(np.stack(scores).tobytes())"
    )
    paths = [str(tmp_path / str(number)) for number in range(len(MODELS))]
    done = subprocess.run(
        [sys.executable, "-c", program, *paths], input=X.tobytes(), capture_output=True, check=True
    )
    np.testing.assert_array_equal(np.frombuffer(done.stdout), np.concatenate(expected))
