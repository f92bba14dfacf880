"""Scale learning of series: what the windows of `SLADSeries` learn from."""

from __future__ import annotations

import numpy as np
import pytest
from waves import SMALL, small, waves

from slad.core.errors import ConfigError
from slad.detectors import KNN, SLAD, Capability, SLADSeries
from slad.detectors.slad_series import EPOCHS, SUBSPACES, WindowSLAD


@pytest.mark.parametrize("subspaces", SUBSPACES)
@pytest.mark.parametrize("online", [False, True])
def test_there_is_a_finite_score_for_every_time_point(subspaces, online):
    detector = small(subspaces=subspaces, online=online).fit(waves())
    for length in (6, 7, 50):
        scores = detector.anomaly_score(waves(length))
        assert scores.shape == (length,)
        assert np.isfinite(scores).all()
    assert set(detector.predict(waves(50))) <= {-1, 1}


def test_a_channel_that_comes_loose_from_the_others_is_found_where_it_does():
    strange = waves(200, 1.0)
    strange[100:120, 1] = waves(20, 3.0)[:, 1]
    fewer = SLAD(n_groups=8, epochs=5, device="cpu")
    detector = SLADSeries(window=8, detector=fewer, random_state=0).fit(waves(500))
    assert np.isin(np.argsort(detector.anomaly_score(strange))[-5:], np.arange(95, 125)).all()


def test_the_same_seed_gives_the_same_scores_and_another_one_others():
    first, again, other = (
        small(random_state=seed).fit(waves()).anomaly_score(waves(50)) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_a_channel_over_a_whole_window_weighs_as_a_feature_of_a_table():
    detector = small(window=20).fit(waves())  # 60 cells: no correlations
    (scorer,) = detector.detector_._scorers
    lengths = scorer.maps.subspaces.lengths.reshape(4, 4)
    labels = SMALL.magnification * lengths / 20 / SMALL.representation_dim
    expected = np.exp(labels - labels.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(scorer.target.squeeze().numpy(), expected, rtol=1e-6)


def test_the_windows_of_a_series_do_not_stream():
    assert Capability.STREAM_FIT not in WindowSLAD.capabilities
    assert Capability.STACK in WindowSLAD.capabilities


@pytest.mark.parametrize("subspaces", SUBSPACES)
def test_windows_learn_from_subspaces_of_the_chosen_kind(subspaces):
    window, channels = 6, 3
    detector = small(subspaces=subspaces).fit(waves())
    (scorer,) = detector.detector_._scorers
    drawn = scorer.maps.subspaces
    pieces = np.split(drawn.features, np.cumsum(drawn.lengths)[:-1])
    grids = 0
    for cells in pieces:
        lags, some = (np.unique(part) for part in np.divmod(cells, channels))
        grids += len(cells) == len(lags) * len(some)
        assert cells.max() < window * channels
        if subspaces == "spans":
            assert (np.diff(lags) == 1).all()
    assert (grids == len(pieces)) == (subspaces != "cells")


def test_without_a_detector_fewer_epochs_than_for_tables_are_the_default():
    detector = SLADSeries()
    detector.n_features_in_ = 3
    assert detector._copied().epochs == EPOCHS < SLAD().epochs


def test_a_detector_of_windows_has_the_parameters_of_the_one_given():
    made = WindowSLAD.of(SMALL, "lags", 6, 3)
    assert made.get_params() == SMALL.get_params()


@pytest.mark.parametrize("wrong", [KNN(), "slad", SLAD])
def test_only_a_slad_scores_the_windows(wrong):
    with pytest.raises(ConfigError, match=r"is not a SLAD.*SeriesDetector takes other detectors"):
        small(detector=wrong).fit(waves())
