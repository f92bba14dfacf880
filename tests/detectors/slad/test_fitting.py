"""From the parameters of `SLAD` to the members of a stack."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from recipes import SMALL, table
from slad import SLAD
from slad.core.errors import ConfigError
from slad.core.seeds import Streams
from slad.detectors import SLADSeries
from slad.detectors.slad.objective import rows_per_group


def small(**settings) -> SLAD:
    return SLAD.released(**SMALL | settings)


def test_members_whose_subspaces_have_different_lengths_classify_side_by_side():
    detector = small(loss="cross_entropy", n_members=5, n_groups=2, length_pool=7).fit(
        table(80, 40)
    )
    counts = {len(set(scorer.maps.subspaces.lengths)) for scorer in detector._scorers}
    assert len(counts) > 1
    assert {scorer.network.outputs for scorer in detector._scorers} == {7}


def test_a_series_whose_subspaces_have_more_lengths_than_the_pool_is_refused():
    series = np.random.default_rng(0).normal(size=(60, 3))
    SLADSeries(detector=SLAD(**SMALL, loss="cross_entropy")).fit(series)
    with pytest.raises(ConfigError, match="length_pool=None"):
        SLADSeries(detector=small(loss="cross_entropy", length_pool=2)).fit(series)


@pytest.mark.parametrize(
    ("loss", "outputs"), [("jensen_shannon", 1), ("squared_error", 1), ("cross_entropy", 5)]
)
def test_networks_have_an_output_for_a_scale_or_for_each_length_there_may_be(loss, outputs):
    detector = small(loss=loss, length_pool=5)
    detector.n_features_in_ = 40
    assert detector._network(16).outputs == outputs


@pytest.mark.parametrize(("n_features", "pool", "lengths"), [(3, 5, 3), (40, None, 16), (9, 5, 5)])
def test_there_are_no_more_lengths_than_features_subspaces_and_the_pool(n_features, pool, lengths):
    detector = small(loss="cross_entropy", length_pool=pool)  # 4 groups of 4 subspaces
    detector.n_features_in_ = n_features
    assert detector._network(16).outputs == lengths


def test_the_row_itself_joins_every_group_where_the_loss_compares_with_it():
    X = table(60, 6)
    for loss, size in (("contrastive", 5), ("released", 4)):
        (scorer,) = small(loss=loss, epochs=1).fit(X)._scorers
        assert scorer.group_size == size


def job_of(n_rows: int = 40, **settings):
    return small(**settings)._job(table(n_rows, 6), {})


@pytest.mark.parametrize(
    ("sampling", "samples"), [("all", 40 * 4), ("bootstrap", rows_per_group(40, 4) * 4)]
)
def test_an_epoch_has_the_rows_of_every_group(sampling, samples):
    job = job_of(row_sampling=sampling, batch_size=7)
    assert job.members[0].task.n_samples == samples
    assert job.steps == 3 * -(-samples // 7)


def test_members_have_maps_weights_and_rows_of_their_own():
    first, second = job_of(n_members=2, row_sampling="bootstrap").members
    assert not torch.equal(first.initial, second.initial)
    assert not torch.equal(first.task.draws, second.task.draws)
    features = [member.task.maps.subspaces.features.tolist() for member in (first, second)]
    assert features[0] != features[1]


@pytest.mark.parametrize(
    ("name", "value"), [("loss", "kl"), ("batch_size", 9), ("patience", 2), ("hidden_dim", 7)]
)
def test_only_what_a_stack_has_in_common_has_equal_keys(name, value):
    assert job_of(random_state=5, epochs=9).key == job_of(n_rows=60).key
    assert job_of(**{name: value}).key != job_of().key


def test_detectors_of_one_table_share_its_scaled_rows():
    X, shared = table(40, 6), {}
    rows = [small(random_state=seed)._job(X, shared).members[0].task.rows for seed in (0, 1)]
    assert rows[0] is rows[1]
    assert small(scaling="robust")._job(X, shared).members[0].task.rows is not rows[0]


def test_members_begin_with_weights_that_their_seed_determines():
    (member,) = job_of(random_state=3).members
    assert torch.equal(member.initial, member.network.initial(Streams(3, 0)))
