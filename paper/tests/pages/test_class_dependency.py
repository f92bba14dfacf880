from __future__ import annotations

import pytest

from made_up_cases import case, made_up_box
from slad_paper.pages import class_dependency
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Report, Table, as_markdown
from slad_paper.pages.pictures import style


def state(medians: list[float], trained: int) -> dict:
    aucs = [None if k == trained else 0.5 + 0.01 * each for k, each in enumerate(medians)]
    known = [auc for auc in aucs if auc is not None]
    return {
        "boxes": [made_up_box(each) for each in medians],
        "auc_roc": aucs,
        "auc_roc_of_all": sum(known) / len(known),
    }


FLAT = [0.0] * 10


def trained_on(which: int, medians: list[float], recipe: str = "slad-subspaces") -> CaseRecord:
    runs = [
        {
            "model_seed": seed,
            "untrained": state(FLAT, which),
            "trained": state([each + shift for each in medians], which),
        }
        for seed, shift in ((42, -0.1), (43, 0.1))
    ]
    settings = {"recipe": recipe, "trained_class": which, "model_seeds": [42, 43]}
    rows = {"train": 60, "test": 300, "features": 784}
    name = f"{recipe}-class-{which}"
    return case("class-dependency", name, settings, {"rows": rows, "runs": runs})


CLEAR = [0.0, 5, 6, 2, 7, 8, 4, 9, 9, 9]
"""Medians of the classes; quartiles are half a unit to either side."""


def verdicts(*records: CaseRecord) -> dict[str, tuple[str, str]]:
    table = class_dependency.report(records).brief[1]
    assert isinstance(table, Table)
    return {row[0].text.split(" (slad")[0]: (row[1].text, row[2].text) for row in table.rows}


def test_all_claims_hold_where_the_trained_class_is_lowest_and_class_three_next():
    found = verdicts(trained_on(0, CLEAR))
    assert [verdict for verdict, _ in found.values()] == ["holds"] * 4
    assert "untrained, than 0" in found["the trained class has the lowest losses"][1]


def test_a_class_below_the_trained_one_is_named():
    found = verdicts(trained_on(0, [0.0, 5, 6, 2, 7, -1, 4, 9, 9, 9]))
    verdict, evidence = found["the trained class has the lowest losses"]
    assert verdict == "holds partly"
    assert "8 of 9 new classes, not 5 (sandal)" in evidence
    verdict, evidence = found["class 3 is nearest to class 0"]
    assert verdict == "holds partly"
    assert "place 2 of 9" in evidence


def test_quartiles_are_comparable_up_to_half_a_range_below():
    quartiles = "lower quartiles of new classes are above, or comparable to, its upper quartile"
    _, evidence = verdicts(trained_on(0, [0.0, 0.6, 6, 2, 7, 8, 4, 9, 9, 9]))[quartiles]
    assert "above: 8 of 9" in evidence
    assert "range below: 9;" in evidence
    verdict, evidence = verdicts(trained_on(0, [0.0, 0.4, 6, 2, 7, 8, 4, 9, 9, 9]))[quartiles]
    assert verdict == "holds partly"
    assert "range below: 8, not 1 (trouser)" in evidence


def test_seeds_are_compared_one_by_one_and_most_of_them_decide():
    record = trained_on(0, CLEAR)
    runs = record.result["runs"]
    runs += [{**runs[0], "trained": state([1000 - each for each in CLEAR], 0)}]  # all turned over
    verdict, evidence = verdicts(record)["the trained class has the lowest losses"]
    assert verdict == "holds"
    runs += [runs[-1]] * 2
    verdict, evidence = verdicts(record)["the trained class has the lowest losses"]
    assert (verdict, evidence.split(" new")[0]) == ("does not hold", "lower median than 0 of 9")


def test_claims_on_class_three_are_for_class_zero_alone():
    found = verdicts(trained_on(1, [5.0, 0, 6, 2, 7, 8, 4, 9, 9, 9]))
    assert len(found) == 2


def test_every_trained_class_has_a_line_with_its_control():
    report: Report = class_dependency.report([trained_on(0, CLEAR), trained_on(4, [1.0] * 10)])
    markdown = as_markdown(report)
    assert "| 4 (coat) | **0.500 → 0.510 ± 0.001** |" in markdown
    assert "| 3 (dress) | **0.500 → 0.520** |" in markdown
    assert "pullovers are class 2" in markdown
    lines = report.data["classes"]
    assert len(lines) == 2 * 2 * 10
    assert next(line for line in lines if line["class"] == 0)["auc_roc"] is None


def test_the_picture_shows_both_classes_of_the_paper_and_the_untrained_network():
    pytest.importorskip("matplotlib")
    report = class_dependency.report(
        [trained_on(0, CLEAR), trained_on(1, CLEAR), trained_on(2, CLEAR)]
    )
    [picture] = report.pictures()
    with style():
        figure = picture.draw()
    assert len(figure.axes) == 4
    assert figure.axes[2].get_xticklabels()[0].get_text() == "0* T-shirt/top"
    assert figure.axes[3].get_xticklabels()[1].get_text() == "1* trouser"
    assert "before training" in figure.axes[2].get_title(loc="left")


def test_losses_over_orders_of_magnitude_are_drawn_as_they_are_and_equal_ones_too():
    pytest.importorskip("matplotlib")
    record = trained_on(0, CLEAR)
    for run in record.result["runs"]:
        for which, box in enumerate(run["trained"]["boxes"]):
            box["quantiles"] = [10.0 ** (which / 3)] * 5
    [picture] = class_dependency.report([record]).pictures()
    with style():
        figure = picture.draw()
    assert [axis.get_yscale() for axis in figure.axes] == ["log", "symlog"]
    for box in record.result["runs"][0]["trained"]["boxes"]:
        box["quantiles"] = [1.0] * 5
    with style():
        assert picture.draw().axes[0].get_yscale() == "symlog"
