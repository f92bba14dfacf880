"""slad demo, as a newcomer runs it."""

from __future__ import annotations

import re
from pathlib import Path

from slad.cli.demo_table import visits


def test_the_demo_finds_most_of_what_is_there_and_says_what_it_missed(slad):
    done = slad("demo", "--quiet")
    assert done.code == 0, done.err
    assert {path.name for path in Path("slad-demo").iterdir()} == {
        "visits.csv", "scores.csv", "scores.manifest.json", "report.html",
    }  # fmt: skip
    tumours = int(re.search(r"(\d+) of the 10 malignant", done.out)[1])
    planted = int(re.search(r"(\d+) of the 8 rows corrupted", done.out)[1])
    assert planted >= 7  # wrong cells are what is sought where a table has words and dates
    assert tumours + planted >= 10
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    shown = [line.removeprefix("> ") for line in readme.splitlines() if line.startswith("> ")]
    assert len(shown) == 2
    assert all(sentence in done.out for sentence in shown)
    for what in visits().planted.values():
        assert what in done.out
    assert "The report is slad-demo/report.html" in done.out


def test_the_truth_is_not_in_what_the_detector_reads(slad):
    slad("demo", "--out", "here", "--detector", "ecod", "--quiet")
    text = Path("here/visits.csv").read_text()
    assert "malignant" not in text
    header = text.splitlines()[0].split(",")
    assert not {"label", "truth", "target", "planted"} & set(header)


def test_a_file_in_the_way_is_said(slad, tmp_path):
    (tmp_path / "taken").touch()
    done = slad("demo", "--out", "taken")
    assert done.code == 2
    assert "use a folder" in done.err
