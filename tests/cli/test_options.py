"""Options that several commands share, and their defaults."""

from __future__ import annotations

import pytest

from slad.cli import make_parser
from slad.cli import options as shared
from slad.cli.options import DEFAULTS, chosen_rule, settle
from slad.cli.parser import every_parser

PLACES = {path: parser for path, parser in every_parser(make_parser()) if path}


def test_every_option_of_the_work_is_in_a_group():
    groups = {group.title for group in PLACES["detect",]._action_groups}
    assert {"columns", "detector", "what counts as strange", "output"} <= groups


def test_the_rules_and_calibrations_that_the_parser_offers_are_those_there_are():
    """They are written again there, because help must not wait for numpy."""
    from slad.decisions import RULES, folds

    assert tuple(RULES) == shared.RULES
    assert folds.CALIBRATIONS == shared.CALIBRATIONS


def test_what_nobody_gave_has_its_default():
    options = settle(make_parser().parse_args(["detect", "t.csv"]))
    assert {name: getattr(options, name) for name in DEFAULTS if name in options} == {
        name: value for name, value in DEFAULTS.items() if name in options
    }
    assert chosen_rule(options) is None


SHOWN = {2 * 2**30: "2GB"}
"""Defaults that the help writes in another way."""


@pytest.mark.parametrize("path", PLACES, ids=" ".join)
def test_the_help_names_the_real_defaults(path):
    """Only of options that take a value; a list or a flag that is not given needs no word."""
    for action in PLACES[path]._actions:
        default = DEFAULTS.get(action.dest)
        if default is not None and default is not False and default != []:
            assert f"(default: {SHOWN.get(default, default)}" in action.help, action.dest


@pytest.mark.parametrize("path", [("detect",), ("fit",)], ids=" ".join)
def test_the_help_names_the_default_rule(path):
    name, level = shared.DEFAULT_RULE
    shown = PLACES[path].format_help()
    assert f"default: --{name} {level:g}" in shown
