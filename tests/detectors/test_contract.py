"""What every detector promises, whichever it is."""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError

from recipes import (
    MODELS,
    every_model,
    make,
    other_models,
    seeded_models,
    table,
    trained_models,
)
from slad.core.errors import DataError, TrainingError


def sparse_table(n: int, d: int, seed: int = 0) -> csr_array:
    rng = np.random.default_rng(seed)
    return csr_array(table(n, d, seed) * (rng.uniform(size=(n, d)) < 0.09))


@every_model
@pytest.mark.parametrize("kind", [table, sparse_table], ids=["dense", "csr"])
@pytest.mark.parametrize("d", [3, 20, 70])
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_a_row_scores_the_same_alone_in_any_batch_and_in_any_order(model, d, kind):
    detector = make(model, n_members=2).fit(kind(200, d))
    X = kind(1500, d, seed=1)
    whole = detector.anomaly_score(X)
    for size in (1, 7, 511, 512, 513):
        for start in (0, 1500 - size, 600) if size < 100 else (600,):  # in no step with blocks
            part = detector.anomaly_score(X[start : start + size])
            np.testing.assert_allclose(part, whole[start : start + size], rtol=1e-12, atol=0)
    order = np.random.default_rng(2).permutation(1500)
    np.testing.assert_allclose(detector.anomaly_score(X[order]), whole[order], rtol=1e-12, atol=0)


WIDTHS = (
    "hidden_dim second_hidden_dim representation_dim transformation_dim transformation_hidden_dim"
)


@every_model
@pytest.mark.parametrize("width", [7, 11])
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_equal_rows_score_alike_however_narrow_the_layers(model, width):
    """Kernels for narrow layers may sum a row in an order that depends on its place."""
    settings = dict.fromkeys(WIDTHS.split(), width) | {"n_transformations": width // 2}
    rows = table(4, width, seed=1)
    detector = make(model, n_members=2, epochs=1, **settings).fit(table(40, width))
    alone = [detector.anomaly_score(rows[[row]])[0] for row in range(4)]
    for among in (np.tile(rows, (16, 1)), np.repeat(rows, 16, axis=0)):
        expected = np.tile(alone, 16) if among[1, 0] == rows[1, 0] else np.repeat(alone, 16)
        np.testing.assert_allclose(detector.anomaly_score(among), expected, rtol=1e-12, atol=0)


@other_models
def test_a_training_row_scores_as_a_new_one(model):
    X = table(200, 6)
    detector = MODELS[model](contamination=0.1).fit(X)
    assert detector.offset_ == pytest.approx(-np.quantile(detector.anomaly_score(X), 0.9))


@every_model
def test_memory_layout_does_not_matter(model):
    X = table(200, 6)
    detector = MODELS[model]().fit(X)
    expected = detector.anomaly_score(X)
    wide = np.zeros((200, 12))
    wide[:, ::2] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(X), wide[:, ::2], read_only, X[::-1][::-1]):
        np.testing.assert_array_equal(detector.anomaly_score(same), expected)
        # numpy sums another layout in another order, which training carries on.
        np.testing.assert_allclose(MODELS[model]().fit(same).anomaly_score(X), expected, rtol=1e-3)


@every_model
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_the_table_is_left_as_it_was(model):
    X = table(100, 5)
    before = X.copy()
    MODELS[model]().fit(X).anomaly_score(X)
    np.testing.assert_array_equal(X, before)
    S = sparse_table(100, 5)
    before = S.toarray()
    MODELS[model]().fit(S).anomaly_score(S)
    np.testing.assert_array_equal(S.toarray(), before)


@seeded_models
def test_the_same_seed_gives_the_same_scores_to_the_bit_and_another_seed_others(model):
    X = table(150, 6)
    first, same, other = (
        MODELS[model](random_state=seed).fit(X).anomaly_score(X) for seed in (3, 3, 4)
    )
    np.testing.assert_array_equal(first, same)
    assert not np.allclose(first, other, rtol=1e-3)


@seeded_models
def test_without_a_seed_every_fit_differs_and_can_be_repeated(model):
    X = table(150, 6)
    first, second = (MODELS[model](random_state=None).fit(X) for _ in range(2))
    assert not np.allclose(first.anomaly_score(X), second.anomaly_score(X), rtol=1e-3)
    again = MODELS[model](random_state=first.seed_).fit(X)
    np.testing.assert_array_equal(again.anomaly_score(X), first.anomaly_score(X))


GLOBAL_STATES = """
import random, sys
import numpy as np, torch
sys.path.insert(0, sys.argv[1])
from recipes import MODELS, make, table

def states():
    return random.getstate(), str(np.random.get_state()), torch.get_rng_state().tolist()

X = table(100, 5)
for model in MODELS:
    for seed in (0, None):
        before = states()
        make(model, random_state=seed).fit(X).predict(X)
        assert states() == before, model
"""


def test_the_global_generators_are_not_moved():
    # In a process of its own: the checks of shapes in this one draw from `random`.
    here = Path(__file__).parents[1]
    subprocess.run([sys.executable, "-c", GLOBAL_STATES, str(here)], check=True)


@every_model
def test_global_seeds_do_not_change_a_fit(model):
    X = table(100, 5)
    expected = MODELS[model]().fit(X).anomaly_score(X)
    saved = torch.get_rng_state(), np.random.get_state(), random.getstate()  # noqa: NPY002
    try:
        torch.manual_seed(99)
        np.random.seed(99)  # noqa: NPY002
        random.seed(99)
        np.testing.assert_array_equal(MODELS[model]().fit(X).anomaly_score(X), expected)
    finally:
        torch.set_rng_state(saved[0])
        np.random.set_state(saved[1])  # noqa: NPY002
        random.setstate(saved[2])


@every_model
def test_a_second_fit_forgets_the_first(model):
    first, second = table(150, 9), table(120, 4, seed=1)
    detector = MODELS[model]().fit(first).fit(second)
    fresh = MODELS[model]().fit(second)
    np.testing.assert_array_equal(detector.anomaly_score(second), fresh.anomaly_score(second))
    assert detector.n_features_in_ == 4
    assert getattr(detector, "history_", None) == getattr(fresh, "history_", None)
    assert detector.offset_ == fresh.offset_


@every_model
def test_an_unfitted_detector_says_so(model):
    for method in ("anomaly_score", "score_samples", "decision_function", "predict"):
        with pytest.raises(NotFittedError):
            getattr(MODELS[model](), method)(table(5, 3))


@every_model
def test_a_failed_first_fit_leaves_an_unfitted_detector(model):
    detector = MODELS[model]()
    bad = table(50, 3)
    bad[0, 0] = np.nan
    with pytest.raises(DataError):
        detector.fit(bad)
    with pytest.raises(NotFittedError):
        detector.anomaly_score(table(50, 3))


def scores_or_none(detector, X) -> np.ndarray | None:
    try:
        return detector.anomaly_score(X)
    except NotFittedError:
        return None


@every_model
@pytest.mark.parametrize("d", [3, 5])
def test_a_second_fit_refused_for_its_table_leaves_the_first_model_or_none(model, d):
    X, bad = table(50, 3), 100 + table(50, d, seed=1)
    bad[0, 0] = np.nan
    detector = MODELS[model]().fit(X)
    expected = detector.anomaly_score(X)
    with pytest.raises(DataError):
        detector.fit(bad)
    scores = scores_or_none(detector, X)
    assert scores is None or (scores == expected).all()


@trained_models
def test_a_second_fit_that_breaks_down_leaves_the_first_model_or_none(model):
    X = table(50, 3)
    detector = MODELS[model]().fit(X)
    expected = detector.anomaly_score(X)
    with pytest.raises(TrainingError):
        detector.set_params(learning_rate=1e38).fit(100 + 3 * X)
    scores = scores_or_none(detector, X)
    assert scores is None or (scores == expected).all()


def reachable(root: object) -> list[object]:
    """Everything a fitted model keeps alive, but for code."""
    code = type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType
    seen, queue, found = set(), [root], []
    while queue:
        thing = queue.pop()
        if id(thing) in seen or isinstance(thing, code):
            continue
        seen.add(id(thing))
        found.append(thing)
        queue += gc.get_referents(thing)
        if isinstance(thing, np.ndarray) and thing.base is not None:
            queue.append(thing.base)
    return found


def sizes(detector) -> list[int]:
    """Of all arrays and containers that a model holds, and their axes."""
    found = []
    for thing in reachable(detector):
        if isinstance(thing, torch.Tensor):
            found += [thing.untyped_storage().nbytes() // thing.element_size(), *thing.shape]
        elif isinstance(thing, np.ndarray):
            found += [thing.size, *thing.shape]
        elif isinstance(thing, list | tuple | dict):
            found.append(len(thing))
    return found


@every_model
@pytest.mark.parametrize("kind", [table, sparse_table], ids=["dense", "csr"])
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_only_a_model_that_says_so_keeps_training_rows(model, kind):
    n = 977  # a prime that no size of a model is a multiple of
    small, large = (make(model, n_members=2, max_rows=None).fit(kind(m, 6)) for m in (n, 2 * n))
    small.anomaly_score(kind(10, 6))
    if small.keeps_training_data:
        assert sum(sizes(large)) > 1.5 * sum(sizes(small))
    else:
        assert len(sizes(small)) > 10
        assert not [size for size in sizes(small) if size and size % n == 0]


@every_model
def test_scikit_learn_s_sign_is_the_opposite_of_ours(model):
    X = table(100, 5)
    detector = MODELS[model]().fit(X)
    scores = detector.anomaly_score(X)
    assert scores.dtype == np.float64
    np.testing.assert_array_equal(detector.score_samples(X), -scores)
    np.testing.assert_array_equal(detector.decision_function(X), -scores - detector.offset_)
    expected = np.where(-scores < detector.offset_, -1, 1)
    np.testing.assert_array_equal(detector.predict(X), expected)
    if hasattr(detector, "fit_predict"):
        np.testing.assert_array_equal(MODELS[model]().fit_predict(X), expected)


@other_models
@pytest.mark.parametrize("share", [0.0, 0.05, 0.25, 0.5])
def test_contamination_flags_that_share_of_the_training_rows(model, share):
    X = table(400, 5)
    flagged = MODELS[model](contamination=share).fit(X).predict(X) == -1
    assert flagged.mean() == pytest.approx(share, abs=0.005)


@other_models
def test_auto_contamination_is_tukey_s_fence(model):
    X = table(400, 5)
    detector = MODELS[model]().fit(X)
    low, high = np.percentile(detector.anomaly_score(X), [25, 75])
    assert -detector.offset_ == pytest.approx(high + 1.5 * (high - low))
