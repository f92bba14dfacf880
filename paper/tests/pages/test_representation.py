"""The page on representations, from made-up records."""

from __future__ import annotations

import pytest

from made_up_cases import case as made_up_case
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import as_markdown
from slad_paper.pages.pictures import style
from slad_paper.pages.representation import report

NAMES = ("raw", "scales", "scales, long training", "untrained", "raw and scales")


def record(case: str, scales: float, raw: float = 0.8, untrained: float = 0.7) -> CaseRecord:
    means = dict(zip(NAMES, (raw, scales, scales, untrained, raw), strict=True))
    accuracy = {
        name: {"5-nn": {labels: [mean - 0.01, mean, mean + 0.01] for labels in ("5", "20")}}
        for name, mean in means.items()
    }
    result = {"rows": 100, "columns": 5, "classes": 3, "accuracy": accuracy}
    settings = {"repeats": 3, "rows": None, "labels": [5, 20], "longer": 50}
    return made_up_case("representation", case, settings, result)


@pytest.mark.parametrize(
    ("scales", "verdict"), [(0.9, "holds"), (0.75, "holds partly"), (0.6, "does not hold")]
)
def test_the_verdict_asks_for_more_than_raw_columns_and_more_than_no_training(scales, verdict):
    made = report([record("wine", scales), record("digits", scales)])
    assert made.brief[0].rows[0][1].text == verdict


def test_a_difference_within_its_error_is_unsure():
    made_up = record("wine", 0.72)
    for labels in ("5", "20"):
        made_up.result["accuracy"]["scales"]["5-nn"][labels] = [0.92, 0.72, 0.52]
    text = as_markdown(report([made_up]))
    assert "against untrained: better in 0, worse in 0" in text
    assert "| untrained | +2.0 | +2.0 | +2.0 | 0 | 2 | 0 |" in text


def test_the_best_features_of_a_setting_are_bold_and_errors_are_those_of_splits():
    text = as_markdown(report([record("wine", 0.6)]))
    assert "| wine, 5-nn, 5 | **80.0 ± 0.6** | 60.0 ± 0.6 |" in text
    assert "Means over all settings: raw 80.0" in text


def test_there_is_a_panel_for_every_table_and_classifier():
    made = report([record("digits", 0.6), record("wine", 0.6)])
    (picture,) = made.pictures()
    with style():
        figure = picture.draw()
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["wine, 5-nn", "digits, 5-nn"]
    assert len(made.data["cells"]) == 2 * 2 * len(NAMES)
