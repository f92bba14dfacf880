"""Detectors of time series: what trains, what scores, what is refused, what a file keeps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from waves import SMALL, small, waves

import slad
from slad.core.errors import ArtifactError, ConfigError, DataError
from slad.detectors import KNN, PCA, SLAD, IsolationForest, SeriesDetector, SLADSeries
from slad.detectors.parts.series_windows import point_scores, window_rows

# -- scores ----------------------------------------------------------------------------------------


def test_the_score_of_a_point_is_made_of_those_of_its_windows():
    train, test = waves(), waves(40, 2.0)
    for aggregation in ("mean", "max"):
        detector = SeriesDetector(KNN(), window=5, aggregation=aggregation).fit(train)
        rows = KNN().fit(window_rows(train, 5)).anomaly_score(window_rows(test, 5))
        np.testing.assert_allclose(
            detector.anomaly_score(test), point_scores(rows, 5, aggregation), rtol=1e-6
        )


def test_online_scores_do_not_know_the_future():
    detector = small(online=True).fit(waves())
    series = waves(60, 1.0)
    scores = detector.anomaly_score(series)
    for end in (6, 20, 41):
        np.testing.assert_array_equal(detector.anomaly_score(series[:end]), scores[:end])
    offline = small().fit(waves())
    assert (offline.anomaly_score(series[:20]) != offline.anomaly_score(series)[:20]).any()


def test_stride_thins_out_what_trains_and_not_what_is_scored():
    every = SeriesDetector(KNN(), window=6).fit(waves())
    some = SeriesDetector(KNN(), window=6, stride=5).fit(waves())
    assert every.detector_.training_scores_.shape == (235,)
    assert some.detector_.training_scores_.shape == (47,)
    assert some.anomaly_score(waves(50)).shape == (50,)


def test_a_list_of_series_trains_without_windows_across_their_ends():
    pieces = [waves(40), waves(30, 7.0)]
    detector = SeriesDetector(KNN(), window=6).fit(pieces)
    assert detector.detector_.training_scores_.shape == (35 + 25,)
    scores = detector.anomaly_score(pieces)
    assert [len(each) for each in scores] == [40, 30]
    np.testing.assert_array_equal(scores[1], detector.anomaly_score(pieces[1]))
    flags = detector.predict(pieces)
    assert [len(each) for each in flags] == [40, 30]


def test_the_detector_that_is_given_is_copied_and_keeps_its_parameters():
    given = SLAD(epochs=2, n_groups=3, group_size=4, device="cpu", random_state=7)
    detector = SLADSeries(window=4, detector=given).fit(waves(60))
    assert not hasattr(given, "offset_")
    assert detector.detector_.epochs == 2
    assert detector.detector_.seed_ == 7
    assert SLADSeries(window=4, detector=given, random_state=3).fit(waves(60)).detector_.seed_ == 3
    forest = SeriesDetector(IsolationForest(), window=4, random_state=5).fit(waves(60))
    assert forest.detector_.random_state == 5


def test_a_detector_that_keeps_training_rows_says_so():
    assert SeriesDetector(KNN()).keeps_training_data
    assert not SeriesDetector(PCA()).keeps_training_data
    assert not SLADSeries().keeps_training_data


# -- what is refused -------------------------------------------------------------------------------


def test_an_array_without_channels_is_refused_with_the_way_out():
    with pytest.raises(DataError, match=r"shape \(30,\) has no channels.*reshape\(-1, 1\)"):
        small().fit(np.zeros(30))
    with pytest.raises(DataError, match=r"shape \(2, 3, 4\).*a list"):
        small().fit(np.zeros((2, 3, 4)))


def test_a_series_shorter_than_the_window_is_refused_at_fit_and_at_score():
    with pytest.raises(DataError, match=r"5 time points is shorter than window=6"):
        small().fit(waves(5))
    with pytest.raises(DataError, match=r"5 time points is shorter than window=6"):
        small().fit([waves(50), waves(5)])
    with pytest.raises(DataError, match="smaller window"):
        small().fit(waves()).anomaly_score(waves(5))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_gaps_are_refused_by_channel_and_time(value):
    series = waves(50)
    series[[7, 30], 2] = value
    with pytest.raises(DataError, match=r"channel 2 has 2 NaN .* of 50.*time point 7 .*a list"):
        small().fit(series)
    frame = pd.DataFrame(series, columns=["a", "b", "c"])
    with pytest.raises(DataError, match="channel 'c' has 2"):
        small().fit(frame)
    with pytest.raises(DataError, match="channel 2"):
        small().fit(waves()).anomaly_score(series)


def test_another_number_of_channels_is_refused():
    detector = small().fit(waves())
    with pytest.raises(DataError, match=r"has 2 channels, the first training series has 3"):
        detector.anomaly_score(waves(50)[:, :2])
    with pytest.raises(DataError, match="same channels"):
        small().fit([waves(50), waves(50)[:, :2]])


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"window": 0}, "window=0"),
        ({"stride": 0}, "stride=0"),
        ({"subspaces": "rows"}, "subspaces='rows'.*spans"),
        ({"aggregation": "median"}, "aggregation='median'"),
        ({"contamination": 0.9}, "contamination=0.9"),
        ({"detector": KNN()}, "is not a SLAD.*SeriesDetector"),
    ],
)
def test_a_parameter_that_cannot_work_is_named(parameters, said):
    with pytest.raises(ConfigError, match=said):
        small(**parameters).fit(waves())


@pytest.mark.parametrize("wrong", [None, "knn", SeriesDetector(KNN())])
def test_only_detectors_of_tables_score_windows(wrong):
    with pytest.raises(ConfigError, match="not a detector of tables"):
        SeriesDetector(wrong).fit(waves())


# -- saved models ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "detector",
    [
        small(),
        small(detector=None, online=True, window=3, stride=9, subspaces="cells"),
        SeriesDetector(KNN(n_neighbors=2), window=4, aggregation="max"),
        SeriesDetector(IsolationForest(n_estimators=20), random_state=np.random.default_rng(0)),
    ],
)
def test_a_saved_model_scores_alike_and_has_the_same_parameters(detector, tmp_path):
    detector.fit(waves())
    detector.save(tmp_path / "model")
    for loaded in (slad.load(tmp_path / "model"), type(detector).load(tmp_path / "model")):
        assert type(loaded) is type(detector)
        test = waves(50, 1.0)
        np.testing.assert_array_equal(loaded.anomaly_score(test), detector.anomaly_score(test))
        np.testing.assert_array_equal(loaded.predict(test), detector.predict(test))
        for name in ("window", "stride", "online", "aggregation"):
            assert getattr(loaded, name) == getattr(detector, name)
        assert type(loaded.detector) is type(detector.detector)


def test_a_loaded_model_can_be_fitted_again_and_moved_to_another_device(tmp_path):
    detector = small().fit(waves())
    detector.save(tmp_path / "model")
    loaded = slad.load(tmp_path / "model", device="cpu")
    assert loaded.detector.epochs == SMALL.epochs
    loaded.set_params(random_state=0).fit(waves())
    np.testing.assert_array_equal(
        loaded.anomaly_score(waves(50)), detector.anomaly_score(waves(50))
    )
    with pytest.raises(ConfigError, match="window of a SLADSeries cannot change"):
        slad.load(tmp_path / "model", window=3)
    with pytest.raises(ArtifactError, match="SLADSeries, not a SeriesDetector"):
        SeriesDetector.load(tmp_path / "model")
