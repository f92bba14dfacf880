"""Losses of subspaces as blame: what they add up to, and what a record holds."""

from __future__ import annotations

import json

import numpy as np
import pytest

from slad.core.errors import ConfigError
from slad.detectors import SLAD
from slad_paper.studies import interpretation as study
from slad_paper.studies.culprits import tables
from slad_paper.studies.subspace_blame import (
    TURNS,
    contrast,
    mean_with,
    membership,
    regression,
    subspace_blame,
    subspace_terms,
)


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(300, 2))
    return hidden[:, [0, 0, 1, 1]] + 0.1 * rng.normal(size=(300, 4))


@pytest.fixture(scope="module")
def detector(rows) -> SLAD:
    small = {"n_groups": 10, "group_size": 6, "representation_dim": 16, "hidden_dim": 16}
    return SLAD(epochs=5, n_members=2, random_state=0, device="cpu", **small).fit(rows)


def test_the_terms_of_a_group_add_up_to_its_loss(detector, rows):
    terms = subspace_terms(detector, rows)
    assert terms.shape == (300, 2 * 10 * 6)
    assert terms.min() >= -1e-12
    sums = terms.reshape(300, 20, 6).sum(axis=2)
    np.testing.assert_allclose(sums, detector.group_losses(rows), rtol=1e-5, atol=1e-9)


def test_a_loss_without_terms_by_subspace_is_refused(rows):
    other = SLAD(loss="jensen_shannon", n_groups=2, group_size=3, epochs=1, device="cpu").fit(rows)
    with pytest.raises(ConfigError, match="loss='jensen_shannon' has no terms"):
        subspace_terms(other, rows)


def test_membership_is_that_of_the_subspaces(detector):
    held = membership(detector)
    subspaces = detector._scorers[1].maps.subspaces
    assert held.shape == (120, 4)
    assert np.flatnonzero(held[60 + 7]).tolist() == sorted(subspaces[7])


def test_terms_become_blame_as_worked_out_by_hand():
    terms = np.array([[6.0, 2.0, 1.0]])
    held = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert mean_with(terms, held).tolist() == [[4.0, 1.5]]
    assert contrast(terms, held).tolist() == [[3.0, -4.5]]
    blame = regression(terms, held)
    assert blame[0, 0] > 0 > blame[0, 1]


@pytest.mark.parametrize("name", [name for name in TURNS if name.startswith("scale")])
def test_a_wild_value_is_blamed_on_its_column(name, detector, rows):
    odd = rows[:4].copy()
    odd[np.arange(4), np.arange(4)] = 20.0
    blame = subspace_blame(name, detector, odd, rows)
    assert (blame.argmax(axis=1) == np.arange(4)).sum() >= 3


@pytest.mark.parametrize("name", TURNS)
def test_every_way_blames_every_column_of_every_row(name, detector, rows):
    blame = subspace_blame(name, detector, rows[:7], rows)
    assert blame.shape == (7, 4)
    assert np.isfinite(blame).all()


def test_the_auc_of_a_culprit_is_the_share_of_columns_below_it():
    blame = np.array([[3.0, 2.0, 1.0], [1.0, 1.0, 2.0], [1.0, 1.0, 1.0]])
    found = study.culprit_auc(blame, np.array([0, 1, 2]))
    assert found.tolist() == [1.0, 0.25, 0.5]


def test_a_record_is_plain_and_holds_every_way_and_plant(monkeypatch):
    monkeypatch.setattr(study, "GROUPS", (2, 4))
    case = study.cases(True)[1]
    assert (case.name, case.datasets) == ("choice-iris", ())
    result = json.loads(json.dumps(study.run(case, "cpu"), allow_nan=False))
    ways = {(each["method"], each["groups"]) for each in result["results"]}
    assert {(name, count) for name in TURNS for count in study.GROUPS} < ways
    assert ("scale contrast, untrained", 20) in ways
    assert {each["plant"] for each in result["results"]} == {
        "spike", "swapped value", "broken dependency",
    }  # fmt: skip
    for each in result["results"]:
        assert each["top1"] <= each["top3"] <= each["rows"] == 30
        assert each["flagged_top1"] <= each["flagged"]


def test_nothing_is_judged_on_what_a_way_was_chosen_on():
    cases = study.cases(False)
    judged = {case.name for case in cases if not case.name.startswith(study.CHOICE)}
    assert judged == set(tables.RATED)
    assert set(study.CHOSEN_ON) <= set(tables.CHOSEN_ON)
    assert not judged & set(study.CHOSEN_ON)
