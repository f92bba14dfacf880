"""The results of `detect` and `score`: files, then text on stdout."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from slad.cli import text_output
from slad.cli.manifest import write_manifest
from slad.cli.paths import STDOUT
from slad.cli.progress import Steps
from slad.cli.result_tables import scores_table, write_table

if TYPE_CHECKING:
    from slad.cli.scored_table import ScoredTable

ANOMALIES = 3


def write_results(
    scored: ScoredTable, options: argparse.Namespace, steps: Steps, *, default_rule: bool
) -> int:
    """Explain, write and print the results; return the exit code.

    Files come first, because the reader of stdout may close it early.
    """
    from slad.cli.scored_table import findings_of

    explanations = scored.explain(scored.strangest(options.show), steps)
    found = findings_of(scored, explanations, options, steps)
    if options.out not in (None, STDOUT):
        write_table(scores_table(scored, explanations, options.with_columns), options.out)
        steps.say(f"scores written to {options.out}")
    if options.report is not None:
        from slad.report import write_page

        write_page(found, Path(options.report))
        steps.say(f"report written to {options.report}")
    write_manifest(options, found, steps)
    for check in found.checks:
        if check.ok is False:
            steps.say(f"caution: {check.text}")
    if options.out == STDOUT:
        write_table(scores_table(scored, explanations, options.with_columns), options.out)
    if options.out != STDOUT or not options.quiet:
        stream = sys.stderr if options.out == STDOUT else sys.stdout
        guessed = scored.truth is not None and not scored.truth.said
        for line in text_output.strangest(found, options.show):
            print(line, file=stream)
        print("", text_output.guarantee(found, default_rule), sep="\n", file=stream)
        for line in text_output.evaluation(found, guessed):
            print(line, file=stream)
    return ANOMALIES if options.fail_on_anomaly and found.counts.flagged else 0
