"""Breiman's waveforms and the planted anomalies have the properties they claim."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import PCG64, Generator
from scipy import stats
from sklearn.neighbors import NearestNeighbors

from slad.core.errors import ConfigError
from slad_paper.datasets import find, load, names
from slad_paper.datasets.breiman import base_waves, waveforms
from slad_paper.datasets.planted import COMPONENTS, FACTOR, KINDS, MARGIN, mixture, planted

MANY, FEATURES, SEED = 20_000, 6, 5


def wave(peak: int) -> np.ndarray:
    return np.array([max(6 - abs(place - peak), 0) for place in range(1, 22)], dtype=float)


def test_the_base_waves_are_triangles_that_peak_at_7_15_and_11():
    np.testing.assert_array_equal(base_waves(), [wave(7), wave(15), wave(11)])


def test_waveforms_have_the_mean_curves_and_variances_of_the_definition():
    X, y = waveforms(MANY, MANY // 2, seed=0)
    h1, h2, h3 = wave(7), wave(15), wave(11)
    tolerance = 5 * 3 / np.sqrt(MANY / 2)  # five standard errors
    np.testing.assert_allclose(X[y == 1].mean(axis=0), (h1 + h2) / 2, atol=tolerance)
    np.testing.assert_allclose(X[y == 0].mean(axis=0), (h1 + h2 + 2 * h3) / 4, atol=tolerance)
    # The share of a wave is uniform, so it has variance 1/12; the noise has variance 1.
    np.testing.assert_allclose(X[y == 1].var(axis=0), 1 + (h1 - h2) ** 2 / 12, rtol=0.1)


def test_the_catalog_s_waveforms_have_the_labels_of_the_outlier_set():
    data = load("breiman-waveform")
    assert data.X.shape == (3443, 21)
    assert data.y.sum() == 100
    assert np.abs(np.diff(data.y)).sum() > 150  # the anomalies are no block


@pytest.mark.data
def test_the_real_waveform_set_has_the_same_mean_curves(data_root):
    real = load("41_Waveform", root=data_root, download=False)
    made, labels = waveforms(MANY, MANY // 2, seed=1)
    for label, count in ((0, 3343), (1, 100)):
        tolerance = 5 * 3 / np.sqrt(count)
        means = real.X[real.y == label].mean(axis=0)
        np.testing.assert_allclose(means, made[labels == label].mean(axis=0), atol=tolerance)


@pytest.mark.parametrize("name", names("synthetic"))
def test_a_seed_gives_the_same_table_to_the_bit_and_another_seed_another(name):
    first, same = load(name), load(name)
    np.testing.assert_array_equal(first.X, same.X)
    np.testing.assert_array_equal(first.y, same.y)
    entry = find(name)
    if name == "breiman-waveform":
        other, _ = waveforms(entry.rows, entry.anomalies, seed=entry.options["seed"] + 1)
    else:
        size = (entry.rows, entry.anomalies, entry.features)
        other, _ = planted(entry.options["kind"], *size, seed=entry.options["seed"] + 1)
    assert not np.isclose(other, first.X).any(axis=1).all()


def test_the_global_random_state_is_neither_read_nor_written():
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first = load("planted-local").X
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    np.testing.assert_array_equal(load("planted-local").X, first)


PINNED = {
    "breiman-waveform": [1.5100711588, -1.6845414416, -1.0987260513],
    "planted-point": [0.7922073893, -0.4445816701, -0.0643979853],
    "planted-local": [-0.3851045417, 1.5337283549, 0.1896929776],
    "planted-dependency": [1.2608597882, 0.2628742843, 0.1456183704],
    "planted-clustered": [-0.8038583523, -0.1069823845, 0.5366760014],
}


@pytest.mark.parametrize("name", names("synthetic"))
def test_the_first_values_stay_as_they_are_in_every_version(name):
    """A change here changes a dataset under its old name: give it a new one."""
    np.testing.assert_allclose(load(name).X[0, :3], PINNED[name], rtol=1e-6)


def parts(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Many normal rows and many anomalies of a kind."""
    X, y = planted(kind, MANY, MANY // 2, FEATURES, seed=SEED)
    return X[y == 0], X[y == 1]


def squared_distances(rows: np.ndarray, grown: float = 1.0) -> np.ndarray:
    """Mahalanobis distance, squared, to the nearest centre, the centres being `grown`."""
    source = mixture(FEATURES, Generator(PCG64(SEED)))
    found = []
    for centre, factor in zip(source.centres, source.factors, strict=True):
        found.append(np.square(np.linalg.solve(factor, (rows - grown * centre).T)).sum(axis=0))
    return np.min(found, axis=0)


def off_diagonal(rows: np.ndarray) -> np.ndarray:
    return np.corrcoef(rows.T)[np.triu_indices(FEATURES, 1)]


@pytest.mark.parametrize("kind", KINDS)
def test_normal_rows_come_from_a_mixture_of_correlated_gaussians(kind):
    normal, _ = parts(kind)
    squared = squared_distances(normal)
    # To the nearest centre: no farther than a chi-squared, and hardly nearer.
    assert stats.chi2(FEATURES).mean() * 0.8 < squared.mean() < stats.chi2(FEATURES).mean() * 1.05
    assert np.abs(off_diagonal(normal)).max() > 0.3
    assert len(mixture(FEATURES, Generator(PCG64(SEED))).centres) == COMPONENTS


def test_every_feature_has_variance_1_around_every_centre():
    factors = mixture(FEATURES, Generator(PCG64(SEED))).factors
    covariances = factors @ factors.transpose(0, 2, 1)
    np.testing.assert_allclose(np.diagonal(covariances, axis1=1, axis2=2), 1)


def test_point_anomalies_fill_a_box_a_little_larger_than_that_of_the_normal_rows():
    normal, odd = parts("point")
    low, high = normal.min(axis=0), normal.max(axis=0)
    margin = MARGIN * (high - low)
    assert (odd >= low - margin).all()
    assert (odd <= high + margin).all()
    assert ((odd < low) | (odd > high)).any(axis=1).mean() > 0.3
    for column, start, width in zip(odd.T, low - margin, high - low + 2 * margin, strict=True):
        assert stats.kstest(column, stats.uniform(start, width).cdf).pvalue > 1e-4
    assert np.abs(off_diagonal(odd)).max() < 0.05
    assert np.median(squared_distances(odd)) > 5 * np.median(squared_distances(normal))


def test_local_anomalies_have_the_same_centres_and_a_larger_covariance():
    normal, odd = parts("local")
    np.testing.assert_allclose(odd.mean(axis=0), normal.mean(axis=0), atol=0.1)
    ratio = squared_distances(odd).mean() / squared_distances(normal).mean()
    assert 0.75 * FACTOR < ratio < 1.05 * FACTOR  # the nearest centre is not always the own one


def test_dependency_anomalies_keep_every_column_and_lose_the_dependence():
    normal, odd = parts("dependency")
    for one, other in zip(normal.T, odd.T, strict=True):
        assert stats.ks_2samp(one, other).pvalue > 1e-4
    assert np.abs(off_diagonal(odd)).max() < 0.05
    assert np.abs(off_diagonal(normal)).max() > 0.3
    assert squared_distances(odd).mean() > 1.5 * squared_distances(normal).mean()


def test_clustered_anomalies_are_as_tight_as_normal_rows_around_centres_farther_out():
    normal, odd = parts("clustered")
    apart, tight = squared_distances(odd), squared_distances(odd, grown=FACTOR)
    assert apart.mean() > 1.5 * squared_distances(normal).mean()
    assert stats.chi2(FEATURES).mean() * 0.8 < tight.mean() < stats.chi2(FEATURES).mean() * 1.05
    own = NearestNeighbors(n_neighbors=2).fit(odd[:2000]).kneighbors(odd[:2000])[0][:, 1]
    among_normal = (
        NearestNeighbors(n_neighbors=2).fit(normal[:2000]).kneighbors(odd[:2000])[0][:, 0]
    )
    assert np.median(own) < np.median(among_normal)


def test_an_unknown_kind_of_anomaly_is_named():
    with pytest.raises(ConfigError, match=r"'global'.*point"):
        planted("global", 10, 1, 2, seed=0)
