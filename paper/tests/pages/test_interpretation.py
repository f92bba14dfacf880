"""The page on interpretation, from made-up records."""

from __future__ import annotations

import pytest

from made_up_cases import case as made_up_case
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import as_markdown
from slad_paper.pages.interpretation import KINDS, picked, report
from slad_paper.pages.pictures import style


def record(case: str, hits: dict[tuple[str, int], int]) -> CaseRecord:
    results = [
        {"plant": plant, "method": method, "groups": groups, "rows": 10, "top1": count,
         "top3": 10, "auc": count / 10, "flagged": 5, "flagged_top1": count // 2}
        for plant in KINDS
        for (method, groups), count in hits.items()
    ]  # fmt: skip
    result = {"train_rows": 100, "columns": 5, "results": results}
    return made_up_case("interpretation", case, {"rows": 10}, result)


def hits(first: int, second: int) -> dict[tuple[str, int], int]:
    return {
        ("occlusion", 20): 8, ("z-scores", 0): 4, ("chance", 0): 1, ("loss shares", 20): 2,
        ("scale contrast", 20): first, ("mean loss", 20): second,
    }  # fmt: skip


def test_the_way_is_picked_on_the_tables_of_the_choice_alone():
    made = report([record("a", hits(3, 9)), record("choice-b", hits(7, 5))])
    text = as_markdown(made)
    assert "| **scale contrast, 20 groups** | **30 ± 14.5** |" in text
    results = record("a", hits(3, 9)).result["results"]
    assert picked(results, [("occlusion", 20), ("mean loss", 20)]) == ("mean loss", 20)


@pytest.mark.parametrize(
    ("count", "verdict"), [(9, "holds"), (5, "holds partly"), (1, "does not hold")]
)
def test_the_verdict_asks_for_more_than_chance_z_scores_and_occlusion(count, verdict):
    made = report([record("a", hits(count, 0)), record("choice-b", hits(9, 0))])
    of_all, of_losses = made.brief[0].rows
    assert of_all[1].text == verdict
    assert f"scale contrast, 20 groups {10 * count} %" in of_all[2].text
    assert of_losses[1].text == "holds partly"  # loss shares are ahead of chance
    assert "loss shares, 20 groups 20 %" in of_losses[2].text


def test_a_network_that_was_not_trained_is_shown_and_not_picked():
    control = hits(3, 2) | {("scale contrast, untrained", 20): 10}
    text = as_markdown(report([record("a", control), record("choice-b", control)]))
    assert "| scale contrast, untrained, 20 groups | 100 ± 0.0 |" in text
    assert "| **scale contrast, 20 groups** |" in text


def test_a_quick_look_without_a_choice_says_so():
    assert "on the same tables (a quick look)" in as_markdown(report([record("a", hits(3, 9))]))


def test_there_is_a_panel_for_every_plant_and_a_line_for_every_way():
    made = report([record("a", hits(3, 2)), record("choice-b", hits(7, 5))])
    (picture,) = made.pictures()
    with style():
        figure = picture.draw()
    assert [axis.get_title(loc="left") for axis in figure.axes] == list(KINDS)
    assert len(figure.axes[0].get_yticklabels()) == 6
    assert len(made.data["rates"]) == 6 * len(KINDS)
