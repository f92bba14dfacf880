"""Studies: one record a case, resumed, refused where settings changed."""

from __future__ import annotations

import json

import pytest

from slad.core.errors import ConfigError, DataError
from slad_paper.pages.cases import holds_cases, read_cases
from slad_paper.runner.study import Case, Study, carry_out


def study(settings=None, datasets=()):
    """A study that notes which cases it was asked to run."""
    done = []

    def run(case, device):
        done.append((case.name, device))
        return {"twice": 2 * case.settings["x"]}

    cases = [Case(name, {"x": x} | (settings or {}), datasets) for name, x in (("a", 1), ("b", 2))]
    return Study("toy", lambda quick: cases[:1] if quick else cases, run), done


def test_every_case_has_a_record_that_begins_with_its_settings(tmp_path):
    mine, done = study()
    assert carry_out(mine, tmp_path, device="cpu", command="the command") == 2
    assert done == [("a", "cpu"), ("b", "cpu")]
    assert holds_cases(tmp_path)
    first, second = read_cases(tmp_path)
    assert (first.case, first.settings, first.result) == ("a", {"x": 1}, {"twice": 2})
    assert second.environment["command"] == "the command"


def test_what_is_recorded_is_not_done_again_and_a_quick_look_does_less(tmp_path):
    mine, done = study()
    carry_out(mine, tmp_path, quick=True)
    carry_out(mine, tmp_path)
    assert [name for name, _ in done] == ["a", "b"]
    assert mine.folder(True).name == "toy-quick"


def test_records_of_other_settings_are_refused(tmp_path):
    carry_out(study()[0], tmp_path)
    with pytest.raises(ConfigError, match="was made with seed=None and would now be made with 3"):
        carry_out(study({"seed": 3})[0], tmp_path)


def test_cases_without_their_data_are_left_out_and_without_any_it_is_an_error(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "nowhere"))
    with pytest.raises(DataError, match="slad data fetch thyroid"):
        carry_out(study(datasets=("thyroid",))[0], tmp_path / "out")
    assert "left out: thyroid" in capsys.readouterr().err


def test_some_cases_can_be_asked_for_and_a_misspelt_one_is_named(tmp_path):
    mine, done = study()
    carry_out(mine, tmp_path, only=["b"])
    assert done[0][0] == "b"
    with pytest.raises(ConfigError, match="no case 'c': a, b"):
        carry_out(mine, tmp_path, only=["c"])


def test_a_damaged_record_is_named(tmp_path):
    carry_out(study()[0], tmp_path)
    record = json.loads((tmp_path / "a.json").read_text())
    del record["result"]
    (tmp_path / "a.json").write_text(json.dumps(record))
    with pytest.raises(DataError, match=r"a.json is a damaged record \('result' is missing\)"):
        read_cases(tmp_path)


def test_cases_of_another_kind_of_device_are_left_for_it(tmp_path):
    cases = [Case("here", device="cpu"), Case("there", device="cuda"), Case("anywhere")]
    mine = Study("toy", lambda quick: cases, lambda case, device: {})
    assert carry_out(mine, tmp_path, device="cpu") == 2
    assert [record.case for record in read_cases(tmp_path)] == ["anywhere", "here"]
    with pytest.raises(ConfigError, match="no case 'there'"):
        carry_out(mine, tmp_path, device="cpu", only=["there"])
    elsewhere = Study("toy", lambda quick: cases[1:2], lambda case, device: {})
    with pytest.raises(ConfigError, match="no cases for cpu"):
        carry_out(elsewhere, tmp_path, device="cpu")
