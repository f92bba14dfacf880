from __future__ import annotations

import csv

import pytest

from made_up_records import image_size, record, write
from slad_paper.pages import sensitivity
from slad_paper.pages.document import Table, as_text
from slad_paper.pages.records import read
from slad_paper.pages.write import write as write_report
from slad_paper.runner import printed
from slad_paper.runner.hyper_parameters import BASE, STUDIED, contenders

ROWS = {row.title: row.datasets for row in printed.rows() if row.available}


def runs(detector, title="Thyroid", mean=0.9, spread=0.001):
    return [
        record(detector, dataset, mean + far, model=42 + at, experiment="sensitivity")
        for dataset in ROWS[title]
        for at, far in enumerate((-spread, 0.0, spread))
    ]


def report(folder, *records):
    return sensitivity.report(read(write(folder, *records)))


def tables(made):
    return [part for part in made.brief if isinstance(part, Table)]


def verdicts(made):
    return {row[0].text: (row[1].text, row[2].text) for row in tables(made)[0].rows}


def verdict(made, words):
    (found,) = (said for claim, said in verdicts(made).items() if words in claim)
    return found


def whole(value_of, rows=ROWS):
    """Records of every point, by what `value_of` says of (parameter, value, row)."""
    records = []
    for title in rows:
        records += runs(BASE, title, 0.9)
        for studied in STUDIED:
            for value in studied.values:
                if value != studied.default:
                    mean = value_of(studied.letter, value, title)
                    records += runs(studied.contender(value), title, mean)
    return records


def as_the_paper_says(letter, value, title):
    if letter == "c":
        late = 0.05 if title in ("Bank", "Waveform") else 0.0
        return {2: 0.85, 5: 0.88, 20: 0.9, 30: 0.9 - late}[value]
    if letter == "r":
        return {2: 0.86, 5: 0.88, 10: 0.89, 30: 0.905}[value]
    if letter == "h":
        return 0.9 - (0.3 if title == "Thrombin" else 0.02) * (value <= 16)
    helped = title in ("Waveform", "PageBlocks") and value == 1
    return 0.8 if helped else 0.9


def as_nothing_says(letter, value, title):
    return {"c": 0.9, "r": 0.92 - value / 1000, "h": 0.91, "γ": 0.95 if value > 200 else 0.9}[
        letter
    ]


def test_records_that_show_what_the_paper_says_hold_every_claim(tmp_path):
    found = verdicts(report(tmp_path, *whole(as_the_paper_says)))
    assert len(found) == 6
    assert {said for said, _ in found.values()} == {"holds"}
    assert "especially on Thrombin" in " ".join(found)


def test_records_that_show_the_opposite_hold_none(tmp_path):
    found = verdicts(report(tmp_path, *whole(as_nothing_says)))
    assert {said for said, _ in found.values()} == {"does not hold"}


def test_a_gain_within_the_spread_of_the_seeds_is_not_observable(tmp_path):
    base = [
        record(BASE, "bank", v, model=m, experiment="sensitivity") for m, v in enumerate((0.9, 0.7))
    ]
    few = STUDIED[0].contender(2)
    other = [
        record(few, "bank", v, model=m, experiment="sensitivity") for m, v in enumerate((0.7, 0.88))
    ]
    said, where = verdict(report(tmp_path, *base, *other), "c from 2 to 10")
    assert said == "holds partly"
    assert "higher on 1 of 1 rows, observably on 0" in where


@pytest.mark.parametrize(
    ("worse", "expected"),
    [((), "does not hold"), (("Bank",), "holds partly"), (("Bank", "Thyroid"), "holds")],
)
def test_the_claim_of_two_datasets_is_one_of_two(tmp_path, worse, expected):
    def value_of(letter, value, title):
        return 0.85 if letter == "c" and value == 30 and title in worse else 0.9

    found = verdict(report(tmp_path, *whole(value_of)), "two datasets")
    assert found[0] == expected
    assert all(title in found[1] for title in worse)


def test_without_thrombin_nothing_is_said_of_it(tmp_path):
    rows = [title for title in ROWS if title != "Thrombin"]
    made = report(tmp_path, *whole(as_the_paper_says, rows))
    assert verdict(made, "a low h")[0] == "holds"
    assert not any("Thrombin" in claim for claim in verdicts(made))
    assert "Thrombin" in as_text(made)  # among those without records


def test_every_parameter_has_a_table_in_which_the_default_is_the_same_point(tmp_path):
    made = report(tmp_path, *whole(as_the_paper_says, ["Thyroid", "MVTec (tab)"]))
    for studied, found in zip(STUDIED, tables(made)[1:], strict=True):
        default = f"{studied.default} (default)"
        assert list(found.header) == [
            "data",
            *(default if v == studied.default else str(v) for v in studied.values),
        ]
        assert [row[0].text for row in found.rows] == ["Thyroid", "MVTec (tab)", "mean of 2 rows"]
        at = list(found.header).index(default)
        assert [row[at].text for row in found.rows] == ["0.900 ± 0.001", "0.900 ± 0.001", "0.900"]
    r = tables(made)[2]
    assert [cell.best for cell in r.rows[0]] == [False, False, False, False, False, True]


def test_a_point_that_failed_or_never_ran_leaves_its_row_out_of_the_mean(tmp_path):
    records = whole(as_the_paper_says, ["Thyroid", "Bank"])
    broken = [
        each
        | (
            {"status": "failed", "reason": "TrainingError: nan", "metrics": None}
            if (each["detector"], each["dataset"]) == (STUDIED[0].contender(30), "bank")
            else {}
        )
        for each in records
        if (each["detector"], each["dataset"]) != (STUDIED[1].contender(5), "bank")
    ]
    c, r = tables(report(tmp_path, *broken))[1:3]
    assert c.rows[1][-1].text == "failed: TrainingError"
    assert r.rows[1][2].text == "–"
    assert c.rows[-1][0].text == r.rows[-1][0].text == "mean of 1 rows"


def test_one_record_alone_makes_a_page(tmp_path):
    made = report(tmp_path, record(BASE, experiment="sensitivity"))
    assert "0.900" in as_text(made)
    assert write_report(made, tmp_path / "out")


def test_the_data_file_and_the_picture_are_written(tmp_path):
    made = report(tmp_path / "records", *whole(as_the_paper_says))
    paths = write_report(made, tmp_path / "out")
    with open(tmp_path / "out" / "sensitivity-points.csv", newline="") as file:
        points = list(csv.DictReader(file))
    assert len(points) == len(ROWS) * sum(len(studied.values) for studied in STUDIED)
    assert len(contenders()) == 18
    (picture,) = (path for path in paths if path.suffix == ".svg")
    width, height = image_size(picture)
    assert 1200 < width < 1600
    assert 1200 < height < 1900
