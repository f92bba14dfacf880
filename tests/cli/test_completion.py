"""Tab completion for three shells."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from slad.cli import make_parser
from slad.cli.parser import every_parser, long_options

PLACES = {path: parser for path, parser in every_parser(make_parser()) if path}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_name_every_command_and_option(shell, slad):
    script = slad("completion", shell).out
    for path, parser in PLACES.items():
        assert " ".join(path) in script
        for option in long_options(parser):
            assert (f"-l {option[2:]}" if shell == "fish" else option) in script
    if shutil.which(shell):
        done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
