"""Usual values that are listed with their shares."""

from __future__ import annotations

import pytest
from small_tables import column, through_json

from slad.tables.kinds import shares, usual_values
from slad.tables.kinds.shares import SharesUsual, level_shares, most_common, with_shares


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["z"] * 60 + ["m"] * 25 + ["a"] * 15, "category"),
        (["zz"] * 60 + ["m"] * 25 + ["aaa"] * 15, "text"),
    ],
)
def test_a_saved_model_names_the_most_common_levels_first(values, kind):
    usual = usual_values(column(values), kind)
    assert list(through_json(usual).levels) == list(usual.levels)
    assert through_json(usual).text == usual.text


def test_a_level_is_usual_where_all_as_rare_as_it_make_up_a_twentieth() -> None:
    usual = usual_values(column(["a"] * 95 + ["b"] * 4 + ["c"]), "category")
    assert [usual.has(value) for value in ("a", "b", "c", "new")] == [True, True, False, False]
    many = usual_values(column(["a"] * 90 + [f"v{at}" for at in range(10)]), "category")
    assert many.has("v3")
    assert not many.has("new")


def test_long_texts_that_look_the_same_are_one_level() -> None:
    found = level_shares(column(["x" * 50 + "1", "x" * 50 + "2", "y", "y"]))
    assert found == {"levels": {"y": 0.5, "x" * 39 + "…": 0.5}, "n_levels": 3}


def test_of_very_many_levels_the_most_frequent_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "KEPT", 2)
    usual = usual_values(column(["a", "b", "b", "c", "c", "c"]), "category")
    assert (list(usual.levels), usual.n_levels) == (["c", "b"], 3)
    assert usual.remark("a", own=False) is None  # seen or not, nobody knows


def test_levels_are_listed_until_they_cover_nearly_all_and_never_more_than_four() -> None:
    assert most_common({"a": 0.95, "b": 0.05}) == [("a", 0.95)]
    assert most_common({"a": 0.9, "b": 0.1}) == [("a", 0.9), ("b", 0.1)]
    assert len(most_common(dict.fromkeys("abcdefghij", 0.1))) == 4
    assert with_shares([("a", 0.95), ("b", 0.0004)]) == ["a (95 %)", "b (under 0.1 %)"]


def test_a_remark_says_how_often_a_rare_level_came_and_leaves_out_its_own_row() -> None:
    usual = usual_values(column(["a"] * 99 + ["b"]), "category")
    assert usual.remark("a", own=False) is None
    assert usual.remark("b", own=False) == "seen in 1 % of the rows learned from (usually a)"
    assert usual.remark("b", own=True) == "seen in no other row (usually a)"
    assert usual.remark("new", own=False) == "never seen before (usually a)"


def test_the_last_level_not_listed_is_one_other() -> None:
    usual = SharesUsual("category", 0.0, levels=dict.fromkeys("abcde", 0.2), n_levels=5)
    assert usual.brief == "a, b, c, d or one other"
