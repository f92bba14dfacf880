"""The search over the paper's scale learning: what is fitted, how it scores, that nothing leaks."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from slad import SLAD, NeighborScale
from slad_paper.datasets.protocol import half_normal_split
from slad_paper.studies import subspace_search as search
from slad_paper.studies.fresh_subspaces import FreshSubspaces

SMALL = {"n_groups": 2, "group_size": 3, "representation_dim": 8, "hidden_dim": 8, "epochs": 2}


@pytest.fixture
def split():
    rng = np.random.default_rng(0)
    rows = np.vstack([rng.normal(size=(120, 4)), rng.normal(size=(20, 4)) + 4])
    return half_normal_split(rows, np.repeat([0, 1], [120, 20]), 0)


def test_every_variant_can_be_made_and_differs_from_the_default(split):
    default = search.make({}, 0, split, "cpu")
    for name, members in search.VARIANTS.items():
        made = [search.make(settings, 0, split, "cpu") for settings in members]
        differs = [vars(each) != vars(default) for each in made]
        assert any(differs) == (name != "default"), name


def test_gamma_by_width_is_divided_by_the_columns(split):
    made = search.make({search.BY_WIDTH: 2000.0}, 0, split, "cpu")
    assert made.magnification == 500.0


def test_tails_are_shares_of_training_rows_and_go_on_beyond_them():
    train = np.arange(100.0)[:, None]
    inside, beyond = search.tails(train, np.array([[0.0], [50.0], [99.0], [150.0], [300.0]]))
    assert np.all(np.diff(inside[:, 0]) >= 0)
    np.testing.assert_allclose(beyond[1], -np.log(51 / 101))
    assert beyond[0] == 0
    assert np.all(np.diff(beyond[:, 0]) > 0)


def test_tails_of_equal_values_are_finite():
    for part in search.tails(np.ones((5, 2)), np.array([[0.0, 2.0]])):
        assert np.isfinite(part).all()


def test_a_committee_counts_its_members_alike_however_many_columns_they_have(split):
    rng = np.random.default_rng(1)
    one = rng.random((50, 1)), rng.random((9, 1))
    wide = rng.random((50, 7)), rng.random((9, 7))
    expected = (search.tail_means(one) + search.tail_means(wide)) / 2
    np.testing.assert_allclose(search.tail_means(one, wide), expected)


def test_detectors_of_a_stack_are_those_fitted_alone(split, monkeypatch):
    monkeypatch.setattr(search, "STACK", 2)
    monkeypatch.setattr(search, "resolve_device", lambda _: torch.device("cuda"))  # so it stacks
    other = half_normal_split(split.test, split.test_labels, 1)
    stacked = list(search.fit([SMALL, SMALL], [split, other], "cpu"))
    for found, each in zip(stacked, (split, other), strict=True):
        assert found.split is each
        for number, detector in enumerate(found.detectors):
            alone = SLAD(**SMALL, random_state=number, device="cpu").fit(each.train)
            np.testing.assert_array_equal(
                detector.group_losses(each.test), alone.group_losses(each.test)
            )


def test_a_profile_with_nothing_beside_it_is_that_of_slad(split):
    plain = NeighborScale(device="cpu", random_state=0).fit(split.train)
    beside = search.Beside(None, device="cpu", random_state=0).fit(split.train)
    np.testing.assert_array_equal(plain.anomaly_score(split.test), beside.anomaly_score(split.test))


def test_a_further_column_that_tells_the_scale_gets_weight_and_one_of_noise_hardly_any(split):
    def weight(further) -> float:
        detector = search.Beside(further, device="cpu", random_state=0).fit(split.train)
        assert len(detector.weights_) == 11
        return float(detector.weights_[10])

    rng = np.random.default_rng(0)
    near = split.train.astype(np.float32).astype(np.float64)

    def distance(rows, own):
        away = ((rows[:, None] - near) ** 2).sum(2) ** 0.5
        return away.min(axis=1, keepdims=True)  # its own row included: 0 for a clean view

    assert weight(distance) > weight(lambda rows, own: rng.random((len(rows), 1)))


def test_a_case_scores_every_task_in_every_way_and_never_sees_a_test_label(split, monkeypatch):
    monkeypatch.setattr(search, "split_of", lambda name, most: split)
    monkeypatch.setattr(search, "auc_roc", lambda labels, scores: float(len(scores)))
    monkeypatch.setattr(search, "auc_pr", lambda labels, scores: float(np.isfinite(scores).all()))
    search.references.cache_clear()
    for name, variant in ((search.REFERENCES, []), ("small", [SMALL]), ("two", [SMALL, SMALL])):
        case = search.Case(name, {"variant": variant, "max_rows": None}, ("a", "b"))
        result = search.run(case, "cpu")
        assert json.loads(json.dumps(result)) == result
        assert result["tasks"] == ["a", "b"]
        for values in result["scores"].values():
            assert values == {"auc_roc": [80.0, 80.0], "auc_pr": [1.0, 1.0]}
    search.references.cache_clear()


def test_the_untrained_control_is_the_same_network_before_training(split):
    (settings,) = search.VARIANTS["untrained"]
    before, after = (
        next(search.fit([SMALL | settings | {"epochs": epochs}], [split], "cpu"))
        for epochs in (1, 3)
    )
    np.testing.assert_array_equal(before.losses(split.test), after.losses(split.test))


# -- fresh subspaces -------------------------------------------------------------------------------


def test_fresh_subspaces_learn_and_leave_the_global_generators_alone(split):
    state = torch.get_rng_state()
    untrained, trained = (
        FreshSubspaces(steps=steps, device="cpu").fit(split.train) for steps in (0, 300)
    )
    assert torch.equal(state, torch.get_rng_state())
    rows = split.test[split.test_labels == 0]
    assert trained.group_losses(rows).mean() < 0.7 * untrained.group_losses(rows).mean()
    assert trained.transform(rows).shape == (len(rows), 200)


def test_fresh_subspaces_have_every_length_and_the_same_seed_the_same_scores(split):
    one, other = (FreshSubspaces(steps=5, device="cpu").fit(split.train) for _ in range(2))
    np.testing.assert_array_equal(one.transform(split.test), other.transform(split.test))
    assert set(one._masks.sum(-1).flatten().int().tolist()) == {1, 2, 3, 4}
