"""The experiment on planted culprits: plants are what they say, and the page is of the records."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from slad.detectors import SLAD
from slad_paper.pages.culprits import rate
from slad_paper.studies.culprits import tables
from slad_paper.studies.culprits.hits import found
from slad_paper.studies.culprits.methods import loss_shares, z_scores
from slad_paper.studies.culprits.plants import PLANTS, Gaps

HERE = Path(__file__).parents[2]


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(300, 2))
    return hidden[:, [0, 0, 1, 1, 1]] + 0.1 * rng.normal(size=(300, 5))


@pytest.mark.parametrize("name", PLANTS)
def test_a_plant_changes_one_cell_of_a_normal_row(name, rows):
    train, held_out = rows[:200], rows[200:]
    planted = PLANTS[name](train, held_out, np.random.default_rng(1), 30)
    for row, (culprit,) in zip(planted.rows, planted.culprits, strict=True):
        others = np.delete(np.arange(5), culprit)
        origin = (held_out[:, others] == row[others]).all(axis=1)
        assert origin.sum() == 1
        assert held_out[origin, culprit] != row[culprit]
        if name != "spike":
            assert rows[:, culprit].min() <= row[culprit] <= rows[:, culprit].max()


def test_no_dependency_no_broken_one():
    rows = np.random.default_rng(0).normal(size=(300, 4))
    plant = PLANTS["broken dependency"]
    assert plant(rows[:200], rows[200:], np.random.default_rng(1), 5) is None


def test_gaps_come_in_pairs_until_one_is_broken(rows):
    gaps = Gaps(rows[:200], rows[200:], np.random.default_rng(0))
    signals = gaps.train[:, 1::2] > 0
    assert (signals[:, gaps.pairs[0, 0]] == signals[:, gaps.pairs[0, 1]]).all()
    assert not signals[:, gaps.never].any()
    broken = gaps.half_a_pair(np.random.default_rng(1), 20)
    signals = broken.rows[:, 1::2] > 0
    assert (np.take_along_axis(signals, broken.culprits, axis=1).sum(axis=1) == 1).all()
    new = gaps.where_never(np.random.default_rng(1), 20)
    assert (np.take_along_axis(new.rows[:, 1::2], new.culprits, axis=1) > 4).all()


def test_hits_count_any_right_answer_among_the_first():
    blame = np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    assert found(blame, np.array([[1], [1]]), 1).tolist() == [False, False]
    assert found(blame, np.array([[1], [1]]), 2).tolist() == [True, True]
    assert found(blame, np.array([[0, 1], [0, 1]]), 1).tolist() == [True, False]


def test_peers_blame_columns_not_features(rows):
    odd = rows[:3].copy()
    odd[:, 1] += 50
    blocks = [(0, 1), (1, 3), (3, 5)]
    assert z_scores(odd, rows, blocks).argmax(axis=1).tolist() == [1, 1, 1]
    detector = SLAD(epochs=1, n_groups=3, group_size=3, random_state=0).fit(rows)
    shares = loss_shares(detector, odd, blocks)
    assert shares.shape == (3, 3)
    assert shares.sum(axis=1) == pytest.approx(detector.group_losses(odd).sum(axis=1))


def test_every_table_counts_the_same():
    found_rate = rate([{"top1": 10, "rows": 10}, {"top1": 25, "rows": 50}], "top1")
    assert found_rate.mean == pytest.approx(0.75)
    assert found_rate.error == pytest.approx((0.25 / 50) ** 0.5 / 2)
    assert rate([{"top1": 0, "rows": 0}], "top1") is None


def test_nothing_is_rated_on_what_it_was_chosen_on():
    assert not set(tables.RATED) & set(tables.CHOSEN_ON)


@pytest.mark.skipif(
    not (HERE / "results" / "culprits").is_dir(), reason="the records are in the repository only"
)
def test_every_table_has_a_record_of_what_made_it():
    names = {path.stem for path in (HERE / "results" / "culprits").glob("*.json")}
    assert names == {*tables.RATED, "choice"}
    for path in (HERE / "results" / "culprits").glob("*.json"):
        assert json.loads(path.read_text())["environment"]["versions"]["torch"]
