from __future__ import annotations

import pytest

from made_up_cases import case, made_up_box
from slad_paper.pages import inlier_priority
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Report, Table, as_markdown
from slad_paper.pages.pictures import style


def trained(
    dataset: str,
    aucs: list[float],
    gaps: list[float],
    recipe: str = "slad-subspaces",
    fall: float = 0.5,
) -> CaseRecord:
    """Inliers' medians go from 10 to a share `fall`; anomalies' are `gap` quartile ranges above."""
    last = len(aucs) - 1
    inliers = [10 * (1 - (1 - fall) * epoch / last) for epoch in range(last + 1)]
    runs = [
        {
            "model_seed": seed,
            "auc_roc": [auc + shift for auc in aucs],
            "inliers": [made_up_box(each) for each in inliers],
            "anomalies": [made_up_box(each + g) for each, g in zip(inliers, gaps, strict=True)],
        }
        for seed, shift in ((42, 0.01), (43, -0.01))
    ]
    settings = {"recipe": recipe, "dataset": dataset, "contamination": 0.02, "max_rows": 10_000}
    settings["model_seeds"] = [42, 43]
    return case("inlier-priority", f"{recipe}-{dataset}", settings, {"runs": runs})


GOOD = trained("thyroid", [0.6, 0.7, 0.8], [0.5, 1.0, 2.0])
TURNED = trained("waveform", [0.8, 0.6, 0.4], [1.0, 0.2, -0.5])


def verdicts(report: Report) -> dict[str, tuple[str, str]]:
    table = report.brief[1]
    assert isinstance(table, Table)
    return {row[0].text: (row[1].text, row[2].text) for row in table.rows}


def test_claims_hold_where_they_hold_on_every_dataset():
    found = verdicts(inlier_priority.report([GOOD]))
    assert found["test inliers have lower losses than anomalies (slad-subspaces)"][0] == "holds"
    verdict, evidence = found["the two are gradually separated (slad-subspaces)"]
    assert verdict == "holds"
    assert "on 1 of 1" in evidence
    assert "0.600 untrained, 0.700 after one epoch, 0.800 trained" in evidence
    assert found["learning prioritises inliers (slad-subspaces)"][0] == "holds"


def test_a_dataset_where_the_order_turns_over_is_named():
    found = verdicts(inlier_priority.report([GOOD, TURNED]))
    for claim in (
        "test inliers have lower losses than anomalies",
        "the two are gradually separated",
    ):
        verdict, evidence = found[f"{claim} (slad-subspaces)"]
        assert verdict == "holds partly"
        assert "on 1 of 2, not on Waveform" in evidence
    alone = verdicts(inlier_priority.report([TURNED]))
    assert alone["the two are gradually separated (slad-subspaces)"][0] == "does not hold"


def test_single_sets_that_training_makes_worse_are_listed():
    markdown = as_markdown(inlier_priority.report([GOOD, TURNED]))
    assert (
        "slad-subspaces tells apart worse after training, or not at all: waveform 0.800 → 0.400"
        in markdown
    )
    assert "slad-paper tells apart worse after training, or not at all: none" in markdown


def test_a_gap_that_shrinks_is_no_separation_though_auc_rises():
    narrower = trained("thyroid", [0.6, 0.7, 0.8], [2.0, 1.0, 0.5])
    found = verdicts(inlier_priority.report([narrower]))
    assert found["the two are gradually separated (slad-subspaces)"][0] == "does not hold"


def test_losses_of_inliers_that_rise_are_no_priority():
    rising = trained("thyroid", [0.6, 0.7, 0.8], [0.5, 1.0, 2.0], fall=1.5)
    found = verdicts(inlier_priority.report([rising]))
    assert found["learning prioritises inliers (slad-subspaces)"][0] == "does not hold"


def test_data_that_are_not_here_are_said_to_be_unchecked():
    claim = "on Amazon (tab) and Yelp (tab) the losses of anomalies clearly fall, too"
    records = [
        trained("thyroid", [0.6, 0.7], [0.5, 1.0], "slad-released"),
        trained("bank", [0.6, 0.7], [0.5, 9.0], "slad-released"),
    ]
    verdict, evidence = verdicts(inlier_priority.report(records))[claim]
    assert verdict == "not checked"
    assert "fall by more than 10% on 1 of 2 others" in evidence
    there = trained("amazon", [0.6, 0.7], [0.5, 1.0])
    assert claim not in verdicts(inlier_priority.report([there]))


def test_the_sets_of_one_row_are_averaged_and_listed():
    sets = [
        trained("mvtec-bottle", [0.5, 0.6], [0.1, 0.2]),
        trained("mvtec-cable", [0.7, 0.9], [0.1, 0.2]),
    ]
    report = inlier_priority.report(sets)
    row = next(row for row in report.brief[3].rows if row[0].text == "MVTec (tab)")
    assert [cell.text for cell in row[3:6]] == ["0.600", "0.750", "0.750 ± 0.010"]
    assert "mvtec-cable | – | – | **0.700 → 0.900**" in as_markdown(report)


def test_a_gap_is_in_mean_quartile_ranges_and_the_trend_a_rank_correlation():
    report = inlier_priority.report([trained("thyroid", [0.6, 0.8, 0.7], [0.5, 1.0, 2.0])])
    cells = [cell.text for cell in report.brief[3].rows[0]]
    assert cells[6:9] == ["+0.33", "+0.50", "+2.00"]
    assert cells[9:] == ["0.5", "0.67"]
    lines = report.data["epochs"]
    assert [line["epoch"] for line in lines] == [0, 1, 2]
    assert lines[2]["gap"] == pytest.approx(2.0)


def test_pictures_have_a_panel_for_each_dataset_and_show_the_control():
    pytest.importorskip("matplotlib")
    long = trained("bank", [0.5 + 0.004 * k for k in range(101)], [0.01 * k for k in range(101)])
    report = inlier_priority.report(
        [GOOD, long, trained("thyroid", [0.6, 0.7], [1, 2], "slad-paper")]
    )
    pictures = {picture.name: picture for picture in report.pictures()}
    assert set(pictures) == {"auc", "slad-subspaces", "slad-paper"}
    with style():
        boxes = pictures["slad-subspaces"].draw()
        shown = [axis for axis in boxes.axes if axis.get_visible()]
        assert [axis.get_title(loc="left") for axis in shown] == ["", "thyroid", "", "bank"]
        ticks = [[label.get_text() for label in axis.get_xticklabels()] for axis in shown[2:]]
        assert ticks == [["0"], ["1", "2", "5", "10", "20", "50", "100"]]
        assert shown[3].get_yscale() == "linear"
        curves = pictures["auc"].draw()
        assert len([axis for axis in curves.axes if axis.get_visible()]) == 2


def test_losses_that_fall_by_orders_of_magnitude_have_a_logarithmic_axis():
    pytest.importorskip("matplotlib")
    run = {
        group: [{"mean": m, "quantiles": [m / 2, m / 1.5, m, m * 1.5, m * 2]} for m in medians]
        for group, medians in (("inliers", [9.0, 1.0, 0.01]), ("anomalies", [9.0, 2.0, 0.1]))
    }
    settings = {"recipe": "slad-subspaces", "dataset": "thyroid", "contamination": 0.02}
    settings |= {"max_rows": 10_000, "model_seeds": [42]}
    result = {"runs": [run | {"model_seed": 42, "auc_roc": [0.5, 0.6, 0.7]}]}
    report = inlier_priority.report([case("inlier-priority", "slad-thyroid", settings, result)])
    with style():
        figure = next(each for each in report.pictures() if each.name == "slad-subspaces").draw()
    assert [axis.get_yscale() for axis in figure.axes] == ["linear", "log"]
