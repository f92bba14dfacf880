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
from recipes import MODELS, SMALL, table
from slad import SLAD
from slad.artifacts import read_artifact, write_artifact
from slad.core.errors import ArtifactError, ConfigError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.slad"


@pytest.mark.parametrize("n_members", [1, 2])
@pytest.mark.parametrize("model", list(MODELS))
def test_a_loaded_model_is_the_saved_one_to_the_bit(model, n_members, path):
    X = table(120, 6)
    detector = MODELS[model](n_members=n_members, contamination=0.1).fit(X)
    detector.save(path)
    loaded = slad.load(path)
    assert type(loaded) is type(detector)
    assert loaded.get_params() == detector.get_params()
    assert loaded.history_ == detector.history_
    assert (loaded.seed_, loaded.offset_) == (detector.seed_, detector.offset_)
    for method in ("anomaly_score", "predict", "decision_function", "group_losses", "transform"):
        np.testing.assert_array_equal(getattr(loaded, method)(X), getattr(detector, method)(X))
    np.testing.assert_array_equal(
        loaded.anomaly_score(csr_array(X)), detector.anomaly_score(csr_array(X))
    )


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
    ids=str,
)
def test_models_with_parameters_that_are_not_plain_can_be_saved(parameters, path):
    X = table(50, 3)
    detector = SLAD(**SMALL | parameters).fit(X)
    detector.save(path)
    np.testing.assert_array_equal(slad.load(path).anomaly_score(X), detector.anomaly_score(X))


def test_a_saved_model_can_be_saved_again_and_fitted_again(path):
    X, other = table(50, 3), table(60, 5)
    SLAD(**SMALL).fit(X).save(path)
    loaded = slad.load(path)
    before = path.read_bytes()
    loaded.save(path)
    assert path.read_bytes() == before
    fresh = SLAD(**SMALL).fit(other).anomaly_score(other)
    np.testing.assert_array_equal(loaded.fit(other).anomaly_score(other), fresh)


def test_parameters_can_be_overridden_at_loading(path):
    SLAD(**SMALL | {"device": "auto"}).fit(table(50, 3)).save(path)
    assert slad.load(path, device="cpu").device == "cpu"
    assert SLAD.load(path, verbose=True).verbose
    with pytest.raises(ConfigError, match="toaster"):
        slad.load(path, device="toaster")
    with pytest.raises(ValueError, match="nonsense"):
        slad.load(path, nonsense=1)


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


def test_a_model_that_misses_a_part_is_refused(path):
    SLAD(**SMALL).fit(table(50, 3)).save(path)
    description, arrays = read_artifact(path)
    for name in arrays:
        write_artifact(path, description, {key: arrays[key] for key in arrays if key != name})
        with pytest.raises(ArtifactError, match="does not fit this version"):
            slad.load(path)
    write_artifact(path, description | {"parameters": {"gone": 1}}, arrays)
    with pytest.raises(ArtifactError, match=r"does not fit this version.*gone"):
        slad.load(path)
    write_artifact(path, {}, arrays)
    with pytest.raises(ArtifactError):
        slad.load(path)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6, 0.95])
def test_a_model_cut_short_or_altered_is_refused(path, share):
    SLAD(**SMALL).fit(table(50, 3)).save(path)
    whole = bytearray(path.read_bytes())
    place = int(share * len(whole))
    path.write_bytes(whole[:place])
    with pytest.raises(ArtifactError):
        slad.load(path)
    whole[place] ^= 1
    path.write_bytes(whole)
    with pytest.raises(ArtifactError):
        slad.load(path)


def test_loading_unpickles_nothing(path, monkeypatch):
    def forbidden(*args, **options):
        raise AssertionError("something was unpickled")

    SLAD(**SMALL).fit(table(50, 3)).save(path)
    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, forbidden)
    monkeypatch.setattr(torch, "load", forbidden)
    assert slad.load(path).n_features_in_ == 3
    with pytest.raises(AssertionError, match="unpickled"):
        pickle.load(io.BytesIO())


def test_a_model_loads_in_another_process_with_the_same_scores(path):
    X = table(50, 3)
    detector = SLAD(**SMALL).fit(X)
    detector.save(path)
    program = (
        "import sys, slad, torch, numpy as np; torch.set_num_threads(1);"
        "X = np.frombuffer(sys.stdin.buffer.read()).reshape(50, 3);"
        "sys.stdout.buffer.write(slad.load(sys.argv[1]).anomaly_score(X).tobytes())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        input=X.tobytes(),
        capture_output=True,
        check=True,
    )
    np.testing.assert_array_equal(np.frombuffer(done.stdout), detector.anomaly_score(X))
