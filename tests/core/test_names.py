"""An unknown name is answered with the nearest ones and all there are."""

from __future__ import annotations

import pytest

from slad.core.errors import ConfigError
from slad.core.names import unknown

KNOWN = ["Mahalanobis", "neighbor-scale", "slad", "slad-paper"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("mahalonobis", "Mahalanobis"),  # a slip, in another case
        ("SLAD", "slad"),
        ("neighbor", "neighbor-scale"),
        ("scale", "neighbor-scale"),  # a part, too short to be alike
    ],
)
def test_a_slip_or_a_part_of_a_name_is_answered_with_it(name, meant):
    words = str(unknown("detector", name, KNOWN))
    assert words.startswith(f"no detector is called {name!r}; did you mean ")
    assert meant in words.partition("?")[0]


def test_a_name_like_no_other_gets_the_list_alone():
    error = unknown("rule", "xyz", iter(["fpr", "top"]))
    assert isinstance(error, ConfigError)
    assert str(error) == "no rule is called 'xyz'. There are: fpr, top"


def test_no_name_is_suggested_twice():
    guesses = str(unknown("detector", "slad-pape", KNOWN)).partition("?")[0]
    assert guesses.count("slad-paper") == 1


def test_where_nothing_is_known_there_is_nothing_to_suggest():
    assert "did you mean" not in str(unknown("column", "a", []))
