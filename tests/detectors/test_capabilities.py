"""Every registered detector has the capabilities that it declares, and no others."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from inspect import isfunction

import numpy as np
import pytest

from recipes import small_recipe, table
from slad import fit_many
from slad.core.errors import ConfigError
from slad.detectors import Capability, Detector, names_with, registry, require

METHODS: dict[Capability, str] = {
    Capability.STACK: "_job",
    Capability.STREAM_FIT: "streamed",
    Capability.SHARED_FIT: "streamed",
    Capability.SCORE_PARTS: "score_parts",
    Capability.ROW_COST: "row_operations",
    Capability.ONNX: "write_onnx",
}
"""What a detector with the capability overrides; to score in threads takes no method."""

every_name = pytest.mark.parametrize("name", registry.names())


def named(
    capability: Capability, *, declared: bool
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    able = names_with(capability)
    chosen = [name for name in registry.names() if (name in able) == declared]
    assert chosen
    return pytest.mark.parametrize("name", chosen)


@every_name
@pytest.mark.parametrize("capability", METHODS)
def test_who_declares_a_capability_has_its_method_and_nobody_else(name, capability):
    cls, method = type(registry.make(name)), METHODS[capability]
    found = getattr(cls, method, None)
    own = isfunction(found) and found is not getattr(Detector, method, None)
    assert own == (capability in cls.capabilities)


@every_name
@pytest.mark.parametrize("capability", Capability)
def test_who_lacks_a_capability_is_refused_with_the_names_of_those_that_have_it(name, capability):
    detector = registry.make(name)
    if capability in detector.capabilities:
        require(capability, detector, name)
        return
    with pytest.raises(ConfigError) as refused:
        require(capability, detector, name, otherwise="do without")
    text = str(refused.value)
    assert text.startswith(f"{name} cannot {capability}: use ")
    assert text.endswith(", or do without")
    for able in names_with(capability):
        assert able in text


@named(Capability.STACK, declared=True)
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_a_stack_of_two_is_fitted_together(name):
    tables = [table(80, 4), table(90, 4, seed=1)]
    fitted = fit_many([small_recipe(name) for _ in tables], tables)
    for detector, X in zip(fitted, tables, strict=True):
        alone = small_recipe(name).fit(X)
        np.testing.assert_allclose(detector.anomaly_score(X), alone.anomaly_score(X), rtol=1e-3)


@named(Capability.STACK, declared=False)
def test_others_are_not_fitted_together(name):
    detector = small_recipe(name)
    with pytest.raises(
        ConfigError, match=r"cannot be fitted together with others: use .*slad.*, or "
    ):
        fit_many([detector], [table(80, 4)])
    assert not hasattr(detector, "offset_")


@every_name
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_the_parts_of_a_score_have_its_mean(name):
    X = table(80, 4)
    detector = small_recipe(name, n_members=2).fit(X)
    parts = detector.score_parts(X)
    np.testing.assert_allclose(parts.mean(axis=1), detector.anomaly_score(X), rtol=1e-6)
    assert (parts.shape[1] > 1) == (Capability.SCORE_PARTS in detector.capabilities)


@named(Capability.PARALLEL_SCORE, declared=True)
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_threads_that_score_at_once_give_what_one_gives(name):
    detector = small_recipe(name).fit(table(200, 5))
    tables = [table(700, 5, seed=seed) for seed in range(8)]
    expected = [detector.anomaly_score(X) for X in tables]
    with ThreadPoolExecutor(4) as pool:
        for scores, wanted in zip(pool.map(detector.anomaly_score, tables), expected, strict=True):
            np.testing.assert_array_equal(scores, wanted)


@named(Capability.ROW_COST, declared=True)
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_a_row_costs_more_with_more_features(name):
    costs = [small_recipe(name).fit(table(60, d)).row_operations() for d in (3, 6)]
    assert 0 < costs[0] < costs[1]
