"""Commands of slad-paper: there when it is installed, and told of when it is not."""

from __future__ import annotations

import pytest

from slad.cli import main, paper_commands


@pytest.fixture
def alone(monkeypatch):
    """As on a machine without slad-paper."""
    monkeypatch.setattr(paper_commands, "entry_points", lambda group: [])


@pytest.mark.parametrize("words", [["reproduce", "adbench", "--quick"], ["data", "list"], ["data"]])
def test_a_command_of_slad_paper_says_how_to_install_it(alone, words, capsys):
    assert main(words) == 2
    assert capsys.readouterr().err == (
        f"slad: slad {words[0]} needs slad-paper, which is not installed: pip install slad-paper\n"
    )


def test_a_folder_of_records_needs_slad_paper(alone, tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 2
    assert "needs slad-paper, which is not installed: pip install slad-paper" in (
        capsys.readouterr().err
    )


def test_the_help_names_the_commands_and_what_they_need(alone, capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "reproduce run an experiment of the paper (needs slad-paper)" in shown
    assert "data list, fetch and check datasets (needs slad-paper)" in shown
