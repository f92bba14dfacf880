"""Standard errors of scores, and the rows they leave open."""

from __future__ import annotations

import numpy as np
import pytest

from slad.core.errors import ConfigError, DataError
from slad.decisions import PartStandard, standard_errors, unsure_rows
from slad.detectors import KNN, SLAD

RNG = np.random.default_rng(0)


def members(rows, *, count, parts, noise, levels=0.0, scales=0.0, rng=RNG):
    """Parts of rows under members: a common truth, noise, and levels and scales of their own."""
    truth = rng.normal(size=rows)[:, None]
    made = []
    for _ in range(count):
        unit = np.exp(scales * rng.normal(size=parts))
        level = levels * rng.normal(size=parts)
        made.append(level + unit * (truth + noise * rng.normal(size=(rows, parts))))
    return truth[:, 0], made


@pytest.mark.parametrize(("count", "parts"), [(5, 20), (5, 1), (2, 50)])
@pytest.mark.parametrize(("levels", "scales"), [(0, 0), (3, 0.3)])
def test_two_errors_cover_the_truth_of_most_rows(count, parts, levels, scales):
    truth, made = members(2000, count=count, parts=parts, noise=0.5, levels=levels, scales=scales)
    standards = [PartStandard.fit(each) for each in made]
    scores = np.mean([s.apply(p) for s, p in zip(standards, made, strict=True)], axis=0)
    errors = standard_errors(made, standards)
    slope, start = np.polyfit(truth, scores, 1)
    within = np.abs(scores - start - slope * truth) <= 2 * errors
    assert 0.85 <= within.mean() <= 0.995


def test_levels_and_scales_of_the_parts_are_no_uncertainty():
    _, even = members(500, count=1, parts=20, noise=0.0)
    _, uneven = members(500, count=1, parts=20, noise=0.0, levels=10, scales=1)
    for made in (even, uneven):
        errors = standard_errors(made, [PartStandard.fit(each) for each in made])
        assert errors.max() < 1e-9


def test_one_part_in_all_says_nothing_about_its_error():
    parts = [RNG.normal(size=(10, 1))]
    assert np.isnan(standard_errors(parts, [PartStandard.fit(parts[0])])).all()


def test_members_without_a_standard_are_an_error():
    with pytest.raises(DataError, match="one standard for each detector"):
        standard_errors([RNG.normal(size=(10, 1))], [])


def test_parts_that_are_all_alike_have_no_error():
    parts = [np.ones((10, 3)), np.ones((10, 3))]
    assert (standard_errors(parts, [PartStandard.fit(each) for each in parts]) == 0).all()


def test_rows_near_the_threshold_are_unsure():
    scores, errors = np.array([0.0, 1.0, 1.9, 2.1, 3.0, 9.0]), np.full(6, 0.5)
    found = unsure_rows(scores, errors, 2.0, 0.9)
    assert found.tolist() == [False, False, True, True, False, False]
    assert unsure_rows(scores, errors, 2.0, 0.99).sum() > found.sum()


def test_a_row_of_unknown_or_no_error_is_never_set_aside():
    scores = np.array([2.0, 2.0, 2.0])
    found = unsure_rows(scores, np.array([np.nan, 0.0, 0.1]), 2.0, 0.9)
    assert found.tolist() == [False, False, True]
    assert not unsure_rows(scores, np.ones(3), None, 0.9).any()


@pytest.mark.parametrize("confidence", [0.4, 1.0, float("nan")])
def test_a_confidence_that_cannot_work_is_named(confidence):
    with pytest.raises(ConfigError, match="confidence"):
        unsure_rows(np.zeros(1), np.ones(1), 0.0, confidence)


def test_a_detectors_score_is_the_mean_of_its_parts():
    rows = RNG.normal(size=(60, 4))
    for detector, parts in ((SLAD(n_groups=3, epochs=1, n_members=2), 6), (KNN(), 1)):
        fitted = detector.fit(rows)
        found = fitted.score_parts(rows)
        assert found.shape == (60, parts)
        np.testing.assert_allclose(found.mean(axis=1), fitted.anomaly_score(rows))
