"""The page on time series, from made-up records."""

from __future__ import annotations

import pytest

from made_up_cases import case as made_up_case
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.document import Picture, as_markdown
from slad_paper.pages.pictures import style
from slad_paper.pages.series import METRICS, report

NAMES = ("SLADSeries", "SLAD, windows as rows", "knn-5", "iforest", "pca", "chance")


def record(
    case: str, values: dict[str, float], files: int = 1, picture: bool = False
) -> CaseRecord:
    def runs(value: float) -> list[dict[str, float]]:
        of_metrics = dict.fromkeys([*METRICS, "affiliation_precision", "affiliation_recall"], value)
        return [{"seed": seed, **of_metrics, "alarms": 0.1, "seconds": 1.0} for seed in (0, 1)]

    drawn = {"labels": [0, 1, 0], "scores": {name: [1.0, 3.0, 2.0, 2.5] for name in values}}
    file = {
        "name": case, "channels": 2, "train": 100, "test": 50, "events": 1, "stride": 1,
        "anomalies": 5, "picture": drawn if picture else None,
        "results": {name: runs(value) for name, value in values.items()},
    }  # fmt: skip
    settings = {"window": 10, "windows": 5000, "seeds": [0, 1], "held_out": 0.2, "quantile": 0.99}
    return made_up_case("series", case, settings, {"series": [file] * files})


def choice() -> CaseRecord:
    file = {"name": "a", "results": {"spans": {"stuck": 0.8, "level": 0.6}}}
    return made_up_case("series", "choice-a", {}, {"series": [file, file]})


def values(ours: float, knn: float = 0.6) -> dict[str, float]:
    return dict(zip(NAMES, (ours, 0.3, knn, 0.5, 0.4, 0.1), strict=True))


@pytest.mark.parametrize(
    ("ours", "extends", "worth"),
    [
        (0.9, "holds", "holds"),
        (0.55, "holds", "holds partly"),
        (0.35, "holds", "does not hold"),
        (0.05, "does not hold", "does not hold"),
    ],
)
def test_the_verdicts_are_those_of_the_records(ours, extends, worth):
    made = report([record("a", values(ours)), record("skab", values(ours), files=3)])
    first, second = made.brief[0].rows
    assert (first[1].text, second[1].text) == (extends, worth)
    assert f"above chance on {2 if ours > 0.1 else 0} of 2" in first[2].text


def test_the_page_says_who_wins_and_ranks_chance_nowhere():
    text = as_markdown(report([record("a", values(0.7)), record("b", values(0.9))]))
    assert "AUC-PR: SLADSeries is first; SLADSeries is number 1 of 5." in text
    ranks = text.split("## Who wins")[1].split("##")[0]
    assert "chance" not in ranks.split("- ")[0]
    assert "| knn-5 | 2.00 |" in ranks


def test_ways_of_drawing_are_averaged_over_files():
    text = as_markdown(report([record("a", values(0.5)), choice()]))
    assert "| spans | 0.800 | 0.600 | 0.700 |" in text


def test_there_is_a_table_for_every_series_and_a_line_for_every_run():
    made = report([record("a", values(0.5)), record("skab", values(0.5), files=3)])
    text = as_markdown(made)
    assert "a: 2 channels, 100 points train, 50 test with 5 anomalous ones in 1 events" in text
    assert "skab: 3 files" in text
    assert len(made.data["cells"]) == 6 * 2 * (1 + 3)


def test_scores_are_drawn_where_a_record_has_them():
    assert not list(report([record("a", values(0.5))]).pictures())
    (picture,) = report([record("a", values(0.5), picture=True)]).pictures()
    assert isinstance(picture, Picture)
    with style():
        assert len(picture.draw().axes) == len(NAMES) - 1
