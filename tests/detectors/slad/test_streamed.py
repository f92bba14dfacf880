"""The fit of SLAD on a stream: which rows go to which group, and how many there are."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from recipes import SMALL, table
from slad import SLAD
from slad.core.seeds import Streams
from slad.detectors.slad.objective import rounds
from slad.detectors.slad.streamed import StreamedSLAD, StreamTask, _mixed
from slad.detectors.slad.subspaces import sample_subspaces
from slad.detectors.slad.transform import make_maps
from slad.detectors.streaming import Prepared, StreamRows
from slad.learning import FILL, Stream

N_FEATURES, GROUPS = 5, 4


class Shuffled:
    """A stream of a table in memory: all its rows in every round, in their order."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows, self.asked = rows, []

    def take(self, first: int, count: int) -> StreamRows:
        self.asked.append((first, count))
        turns, numbers = np.divmod(np.arange(first, first + count), len(self.rows))
        return StreamRows(numbers, turns, self.rows[numbers])


def task_of(rows: np.ndarray, key: int = 7) -> StreamTask:
    rng = np.random.default_rng(0)
    subspaces = sample_subspaces(N_FEATURES, n_groups=GROUPS, group_size=3, rng=rng)
    maps = make_maps("affine", subspaces, 8, Streams(0))
    labels = np.ones((GROUPS, 3))
    return StreamTask(Shuffled(rows), maps, labels, GROUPS * len(rows), key, torch.device("cpu"))


# -- samples ---------------------------------------------------------------------------------------


def test_over_as_many_rounds_as_groups_every_row_meets_every_group_once():
    rows = table(30, N_FEATURES).astype(np.float32)
    groups, source, places = task_of(rows).find(torch.arange(GROUPS * 30))
    assert len(source) == GROUPS * 30
    assert torch.equal(places, torch.arange(GROUPS * 30))
    by_round = groups.view(GROUPS, 30)
    for row in range(30):
        assert sorted(by_round[:, row].tolist()) == list(range(GROUPS))


def test_samples_are_the_next_rows_of_the_stream_and_filling_takes_none():
    rows = table(30, N_FEATURES).astype(np.float32)
    task = task_of(rows)
    samples = torch.tensor([10, 11, FILL, 12, FILL])
    _, source, places = task.find(samples)
    assert task.stream.asked == [(10, 3)]
    np.testing.assert_array_equal(source.values.numpy(), rows[10:13])
    assert places[samples != FILL].tolist() == [0, 1, 2]
    assert places.max() < 3  # filling stands at some row, with weight 0


def test_a_batch_of_nothing_but_filling_asks_for_no_rows():
    task = task_of(table(30, N_FEATURES).astype(np.float32))
    groups, source, places = task.find(torch.full((4,), FILL))
    assert task.stream.asked == []
    assert groups.tolist() == places.tolist() == [0] * 4
    assert len(source) == 1


# -- groups ----------------------------------------------------------------------------------------


def test_groups_are_spread_evenly_and_differ_by_key():
    numbers = np.arange(40_000)
    first, second = (_mixed(numbers, key) % 20 for key in (1, 2))
    for groups in (first, second):
        counts = np.bincount(groups, minlength=20)
        assert abs(counts - 2000).max() < 250
    assert (first == second).mean() < 0.06


def test_a_row_has_its_number_in_any_company_and_with_keys_of_any_size():
    numbers = np.array([5, 2**40, 0])
    mixed = _mixed(numbers, 2**127 + 3)
    assert mixed.tolist() == [_mixed(numbers[[at]], 2**127 + 3).item() for at in range(3)]
    assert ((mixed >= 0) & (mixed < 2**32)).all()


def test_the_groups_of_rows_never_change():
    # A fit that goes on from a checkpoint of another version must meet the same groups.
    assert _mixed(np.arange(4), 7).tolist() == by_python(range(4), 7)


def by_python(numbers, key: int) -> list[int]:
    """SplitMix64's finish, in whole numbers without limits."""
    found = []
    for number in numbers:
        bits = (number * 0x9E3779B97F4A7C15 + key) % 2**64
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB % 2**64
        found.append(bits >> 32)
    return found


# -- the fit ---------------------------------------------------------------------------------------


def test_an_epoch_has_the_samples_of_a_fit_in_memory():
    everything, drawn = (
        StreamedSLAD(SLAD(**SMALL | {"row_sampling": way})) for way in ("all", "bootstrap")
    )
    assert everything.samples_of_epoch(1000) == 1000 * SMALL["n_groups"]
    assert drawn.samples_of_epoch(1000) == 1000 * rounds(1000)


def test_covariances_are_needed_below_the_threshold_of_weights_alone():
    fit = StreamedSLAD(SLAD(weighting_threshold=10))
    assert fit.needs_covariances(9)
    assert not fit.needs_covariances(10)


@pytest.mark.parametrize("rescale", [False, True])
def test_weights_are_mean_absolute_correlations(rescale):
    X = table(200, N_FEATURES)
    fit = StreamedSLAD(SLAD(rescale_weights=rescale))
    found = fit.weights(X.mean(axis=0), np.cov(X, rowvar=False))
    expected = np.abs(np.corrcoef(X, rowvar=False)).mean(axis=1)
    if rescale:
        expected = (expected - expected.min()) / np.ptp(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_fit_on_a_stream_is_a_fitted_detector_with_the_threshold_of_the_held_rows():
    X = table(60, N_FEATURES)
    detector = SLAD(**SMALL | {"row_sampling": "all", "contamination": 0.25})
    memory = SLAD(**detector.get_params()).fit(X)
    scaled = memory._scaler.dense(X).astype(np.float32)
    prepared = Prepared(60, memory._scaler, memory._weights)
    StreamedSLAD(detector).fit(prepared, Shuffled(scaled), X[:20], order=Stream())
    scores = detector.anomaly_score(X[:20])
    assert (detector.predict(X[:20]) == -1).sum() == 5
    assert -detector.offset_ == pytest.approx(np.quantile(scores, 0.75))
    assert detector.history_["loss"][-1] < detector.history_["loss"][0]
