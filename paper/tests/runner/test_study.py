"""Studies of cases: one record each, resumed, refused where settings changed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from slad.core.errors import ConfigError, DataError
from slad_paper.pages.cases import holds_cases, read_cases
from slad_paper.runner.records import flat_records
from slad_paper.runner.running import carry_out
from slad_paper.runner.study import Case, CaseStudy


def start(mine, folder, *, quick=False, only=None, device="cpu", command=None):
    cases, missing = mine.plan(quick=quick, cases=only, device=device, folder=folder)
    return carry_out(cases, folder, device=device, command=command), missing


def study(settings=None, datasets=()):
    """A study that notes which cases it was asked to run."""
    done = []

    def run(case, device):
        done.append((case.name, device))
        return {"twice": 2 * case.settings["x"]}

    cases = [Case(name, {"x": x} | (settings or {}), datasets) for name, x in (("a", 1), ("b", 2))]
    return CaseStudy("toy", lambda quick: cases[:1] if quick else cases, run), done


def test_every_case_has_a_record_that_begins_with_its_settings(tmp_path):
    mine, done = study()
    summary, _ = start(mine, tmp_path, command="the command")
    assert (summary.planned, summary.present) == (2, 0)
    assert done == [("a", "cpu"), ("b", "cpu")]
    assert holds_cases(tmp_path)
    first, second = read_cases(tmp_path)
    assert (first.case, first.settings, first.result) == ("a", {"x": 1}, {"twice": 2})
    assert second.environment["command"] == "the command"


def test_what_is_recorded_is_not_done_again_and_a_quick_look_does_less(tmp_path):
    mine, done = study()
    start(mine, tmp_path, quick=True)
    start(mine, tmp_path)
    assert [name for name, _ in done] == ["a", "b"]
    assert mine.folder(True).name == "toy-quick"


def test_records_of_other_settings_are_refused(tmp_path):
    start(study()[0], tmp_path)
    with pytest.raises(ConfigError, match="was made with seed=None and would now be made with 3"):
        start(study({"seed": 3})[0], tmp_path)


def test_cases_without_their_data_are_left_out_and_without_any_it_is_an_error(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "nowhere"))
    mine, _ = study(datasets=("thyroid",))
    with pytest.raises(DataError, match="slad data fetch thyroid"):
        start(mine, tmp_path / "out")
    some = replace(mine, cases=lambda quick: [*mine.cases(False), Case("c", {"x": 3})])
    summary, missing = start(some, tmp_path / "out")
    assert (summary.planned, missing) == (1, ["thyroid"])


def test_cases_without_their_packages_are_left_out_and_named(tmp_path):
    mine, _ = study()
    lacking = replace(mine, cases=lambda quick: [Case("c", packages=("no_such_package",))])
    with pytest.raises(DataError, match="pip install no_such_package"):
        start(lacking, tmp_path)
    some = replace(mine, cases=lambda quick: [*mine.cases(False), *lacking.cases(False)])
    assert start(some, tmp_path)[1] == ["no_such_package"]


def test_what_is_recorded_needs_neither_data_nor_packages(tmp_path, monkeypatch):
    start(study()[0], tmp_path)
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "nowhere"))
    mine, done = study(datasets=("thyroid",))
    mine = replace(
        mine, cases=lambda quick: [replace(c, packages=("no",)) for c in study()[0].cases(False)]
    )
    summary, missing = start(mine, tmp_path)
    assert (summary.planned, summary.present, missing, done) == (2, 2, [], [])


def test_a_record_of_before_has_its_settings_side_by_side_with_its_results(tmp_path):
    record = {"experiment": "toy", "x": 1, "twice": 2, "environment": {"slad": "0.1.0"}}
    (tmp_path / "a.json").write_text(json.dumps(record))
    before = (tmp_path / "a.json").read_bytes()
    mine, done = study()
    start(mine, tmp_path)
    assert done == [("b", "cpu")]
    assert (tmp_path / "a.json").read_bytes() == before
    first, second = flat_records(tmp_path)
    assert (first["x"], first["twice"]) == (1, 2)
    assert (second["x"], second["twice"]) == (2, 4)
    (tmp_path / "a.json").write_text(json.dumps(record | {"x": 5}))
    with pytest.raises(ConfigError, match="was made with x=5 and would now be made with 1"):
        start(mine, tmp_path)


def test_some_cases_can_be_asked_for_and_a_misspelt_one_is_named(tmp_path):
    mine, done = study()
    start(mine, tmp_path, only=["b"])
    assert done[0][0] == "b"
    with pytest.raises(ConfigError, match="no case 'c': a, b"):
        start(mine, tmp_path, only=["c"])


def test_a_damaged_record_is_named(tmp_path):
    start(study()[0], tmp_path)
    record = json.loads((tmp_path / "a.json").read_text())
    del record["result"]
    (tmp_path / "a.json").write_text(json.dumps(record))
    with pytest.raises(DataError, match=r"a.json is a damaged record \('result' is missing\)"):
        read_cases(tmp_path)


def test_cases_of_another_kind_of_device_are_left_for_it(tmp_path):
    cases = [Case("here", device="cpu"), Case("there", device="cuda"), Case("anywhere")]
    mine = CaseStudy("toy", lambda quick: cases, lambda case, device: {})
    summary, _ = start(mine, tmp_path)
    assert summary.planned == 2
    assert [record.case for record in read_cases(tmp_path)] == ["anywhere", "here"]
    with pytest.raises(ConfigError, match="no case 'there'"):
        start(mine, tmp_path, only=["there"])
    elsewhere = CaseStudy("toy", lambda quick: cases[1:2], lambda case, device: {})
    with pytest.raises(ConfigError, match="no cases for cpu"):
        start(elsewhere, tmp_path)
