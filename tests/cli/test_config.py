"""Options from a TOML file."""

from __future__ import annotations

import argparse

import pytest

from slad.cli import make_parser
from slad.cli.config import parse_with_config
from slad.cli.options import chosen_rule, settle
from slad.core.errors import ConfigError


def parsed(*words: str) -> argparse.Namespace:
    return settle(parse_with_config(make_parser(), words))


@pytest.fixture
def config(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "slad.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_file_gives_options_by_the_same_names(config):
    path = config(
        'id = "order"\ndrop = ["a", "b c"]\nfpr = "2%"\nwith-columns = true\nquiet = false\n'
        'fail_on_anomaly = true\nseed = 7\n[set]\nepochs = 20\nbias = false\nloss = "kl"\n'
    )
    options = parsed("detect", "t.csv", "--config", path)
    assert (options.file, options.id, options.drop, options.seed) == (
        "t.csv", "order", ["a", "b c"], 7,
    )  # fmt: skip
    assert chosen_rule(options) == ("fpr", 0.02)
    assert dict(options.set) == {"epochs": 20, "bias": False, "loss": "kl"}
    assert (options.with_columns, options.fail_on_anomaly, options.quiet) == (True, True, False)


def test_the_command_line_wins_and_one_rule_replaces_another(config):
    path = config('seed = 7\ndrop = ["a"]\nfpr = 0.02\n')
    words = ("--seed", "1", "--drop", "b", "--top", "3")
    options = parsed("detect", "t.csv", "--config", path, *words)
    assert (options.seed, options.drop, chosen_rule(options)) == (1, ["b"], ("top", 3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sed = 1", "did you mean seed"),
        ("frp = 0.1", "did you mean fpr"),
        ('config = "x"', "no option of .* is called 'config'"),
        ("seed = ", "is not TOML"),
        ("id = 2020-01-01", "use a string, a number, true, false"),
    ],
)
def test_what_a_file_cannot_say_is_named(config, text, message):
    with pytest.raises(ConfigError, match=message):
        parsed("detect", "t.csv", "--config", config(text))


def test_a_value_of_a_file_is_checked_like_one_of_the_line(slad, config):
    done = slad("detect", "t.csv", "--config", config('fpr = "lots"'))
    assert done.code == 2
    assert "--fpr: 'lots' is not a fraction; use 0.01 or 1%" in done.err


def test_two_rules_at_once_and_a_missing_file_are_refused(slad, config, tmp_path):
    assert slad("detect", "t.csv", "--fpr", "1%", "--top", "3").code == 2
    assert slad("detect", "t.csv", "--config", config("fpr = 0.1\ntop = 3")).code == 2
    done = slad("detect", "t.csv", "--config", "nowhere.toml")
    assert done.code == 2
    assert "cannot read --config nowhere.toml" in done.err
