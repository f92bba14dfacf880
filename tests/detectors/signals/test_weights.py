"""The shipped network."""

from __future__ import annotations

import hashlib
from importlib.resources import files

import numpy as np
import pytest

from slad.core.errors import ArtifactError
from slad.detectors.signals import weights as module
from slad.detectors.signals.profile import Extremes
from slad.detectors.signals.weights import FILE, KINDS, Weights, card, read_weights, weights_of


def content() -> bytes:
    return (files(module.__package__) / FILE).read_bytes()


def drawn(kind: str, rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    weights, rng = weights_of(kind), np.random.default_rng(seed)
    return rng.normal(size=(rows, len(weights.skip))), rng.normal(
        size=(rows, len(weights.free_skip))
    )


def test_the_file_is_small_and_the_one_that_the_card_means():
    assert len(content()) < 1_000_000
    assert card()["sha256"] == hashlib.sha256(content()).hexdigest()
    assert card()["bytes"] == len(content())


def test_the_card_says_what_a_user_must_know():
    assert card()["learned_from"]["tables"] == 867
    assert {"made_by", "date", "metrics", "limits", "settings", "slad_version"} <= card().keys()
    assert "licences" in card()["learned_from"]


def test_weights_fit_the_signals_of_one_look_and_of_two():
    for kind in KINDS:
        weights, looks = weights_of(kind), 1 if kind.startswith("clean") else 2
        assert (len(weights.monotone), len(weights.free)) == tuple(
            looks * size for size in Extremes.sizes()
        )


@pytest.mark.parametrize("kind", KINDS)
def test_no_score_falls_when_a_signal_rises(kind):
    monotone, free = drawn(kind, 200)
    weights = weights_of(kind)
    before = weights.scores(monotone, free)
    rise = np.random.default_rng(1).random(monotone.shape) * 5
    assert (weights.scores(monotone + rise, free) >= before - 1e-9).all()


def test_a_score_does_not_depend_on_the_other_rows():
    inputs = drawn("mixed rows", 600)
    weights = weights_of("mixed rows")
    alone = [weights.scores(*(each[at : at + 7] for each in inputs)) for at in range(0, 600, 7)]
    np.testing.assert_array_equal(weights.scores(*inputs), np.concatenate(alone))


def test_scores_are_those_of_the_formula():
    rng = np.random.default_rng(0)
    shapes = ((3, 4), (2, 4), (4,), (4,), (3,), (2,))
    weights = Weights(*(rng.normal(size=shape) for shape in shapes))
    monotone, free = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))
    hidden = monotone @ weights.monotone + free @ weights.free + weights.bias
    bent = np.hstack([np.logaddexp(0, hidden[:, :2]), -np.logaddexp(0, -hidden[:, 2:])])
    wanted = bent @ weights.out + monotone @ weights.skip + free @ weights.free_skip
    np.testing.assert_allclose(weights.scores(monotone, free), wanted, rtol=1e-5, atol=1e-5)


def test_another_file_than_the_cards_is_refused(monkeypatch):
    monkeypatch.setattr(module, "card", lambda: {"sha256": "0" * 64})
    weights_of.cache_clear()
    with pytest.raises(ArtifactError, match="not the file that its card means"):
        weights_of("clean rows")
    weights_of.cache_clear()


def test_a_file_with_pickled_objects_is_refused(tmp_path):
    np.savez(tmp_path / "bad.npz", **{"clean rows.monotone": np.array([object()])})
    with pytest.raises(ValueError, match="allow_pickle"):
        read_weights((tmp_path / "bad.npz").read_bytes(), "clean rows")
