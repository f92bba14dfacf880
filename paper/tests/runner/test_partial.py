"""What a stopped case leaves on disk, and what the next start makes of it."""

from __future__ import annotations

import pytest

from slad.core.errors import ConfigError
from slad_paper.runner.partial import Partial

IDENTITY = {"case": "toy", "settings": {"seed": 0}}


def test_outcomes_are_there_again_in_a_later_start(tmp_path):
    first = Partial(tmp_path / "toy.partial", IDENTITY)
    first.add("a", {"auc_roc": 0.5})
    first.add("b", {"auc_roc": None})
    again = Partial(tmp_path / "toy.partial", IDENTITY)
    assert again.outcomes == first.outcomes == {"a": {"auc_roc": 0.5}, "b": {"auc_roc": None}}
    again.remove()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("cut", [1, 5, 30, 60, 90])
def test_a_line_that_a_kill_cut_is_forgotten_and_the_file_goes_on(tmp_path, cut):
    path = tmp_path / "toy.partial"
    first = Partial(path, IDENTITY)
    first.add("a", {"auc_roc": 0.5})
    path.write_bytes(path.read_bytes()[:-cut])
    again = Partial(path, IDENTITY)
    assert "a" not in again.outcomes
    again.add("b", {"auc_roc": 0.25})
    assert Partial(path, IDENTITY).outcomes == {"b": {"auc_roc": 0.25}}


def test_outcomes_of_other_settings_are_not_gone_on_with(tmp_path):
    Partial(tmp_path / "toy.partial", IDENTITY).add("a", {})
    with pytest.raises(ConfigError, match=r"toy\.partial was begun with other settings"):
        Partial(tmp_path / "toy.partial", IDENTITY | {"settings": {"seed": 1}})
