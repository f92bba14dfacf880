"""What `--detector auto` takes, and the line that says so."""

from __future__ import annotations

import argparse

from slad.cli.progress import Steps

BEST = "best average on 867 tables, see docs/accuracy.md"
SHARED = "several processes can only train the paper's networks together"


def choose_detector(options: argparse.Namespace, steps: Steps, *, shared: bool = False) -> None:
    """Replace "auto" by the detector that it takes; one line says which one and why.

    `shared`: several processes train the detector together.
    """
    from slad.detectors.registry import AUTO, AUTO_SHARED

    if options.detector == "auto":
        options.detector, why = (AUTO_SHARED, SHARED) if shared else (AUTO, BEST)
        steps.say(f"detector: {options.detector} (auto: {why})")
