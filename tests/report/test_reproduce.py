"""What is needed to get the same numbers again."""

from __future__ import annotations

import re

import made_up_findings as made_up
from page_reader import Reader

from slad.model.findings import Findings
from slad.report.reproduce import reproduce


def facts(**more) -> dict[str, str]:
    """Name and text of every fact."""
    page = reproduce(Findings.from_json(made_up.payments() | more))
    pairs = re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", page)
    return {name: Reader(f"<p>{value}</p>").text for name, value in pairs}


def commands(**more) -> list[str]:
    page = reproduce(Findings.from_json(made_up.payments() | more))
    return re.findall("<pre><code>(.*?)</code></pre>", page)


def test_every_command_is_given_once_and_whole():
    first, second = commands()
    assert first == made_up.payments()["command"]
    assert second == "slad explain payments.slad payments.csv --rows 17"


def test_the_command_of_the_run_is_given_where_no_others_are():
    assert commands(reproduce=[]) == [made_up.payments()["command"]]
    assert commands(reproduce=[], command="") == []


def test_versions_seed_and_checksum_are_there():
    found = facts()
    assert found["Versions"].startswith("slad 0.1.0, python 3.11.2, numpy")
    assert found["Seed"] == "0"
    assert made_up.payments()["input"]["sha256"] in found["Table"]
    assert "1,000 rows, 10 columns" in found["Table"]
    assert found["Rule"] == "fpr 0.01"
    assert found["Detector"] == "slad epochs 10, n_groups 20"


def test_a_detector_as_it_comes_says_so():
    plain = {"name": "ecod", "parameters": {}}
    assert facts(detector=plain)["Detector"] == "ecod default parameters"


def test_a_training_table_of_its_own_is_listed():
    assert "Training table" not in facts()
    other = made_up.payments()["input"] | {"name": "last_year.csv", "sha256": None}
    found = facts(reference=other)["Training table"]
    assert found.startswith("last_year.csv")
    assert "Copy" not in found  # there is no checksum to copy


def test_how_sure_a_decision_has_to_be_is_listed_where_rows_are_set_aside():
    assert facts()["Too close to call"] == "decisions less than 90\u00a0% certain"
    assert "Too close to call" not in facts(reject=None)
