"""`slad reproduce NAME`: run a table of the paper and print it beside the printed figures."""

from __future__ import annotations

import argparse
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from slad.cli.parser import add_command

EXPERIMENTS = {
    "effectiveness": "the paper's main table: ten datasets, five model seeds",
    "adbench": "the paper's ADBench table: average ranks over the classical sets, with tests",
}


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "reproduce",
        None,
        takes="NAME",
        summary="run an experiment of the paper",
        description="Run a table of the paper and print it beside the printed figures.",
        example="slad reproduce adbench --quick",
    )
    experiments = parser.add_subparsers(metavar="NAME", required=True)
    for name, summary in EXPERIMENTS.items():
        experiment = add_command(
            experiments,
            name,
            run,
            of="slad reproduce",
            takes="",
            summary=summary,
            description=f"Run {summary}. What is recorded is not run again, so a second start goes "
            "on where the first one stopped.",
            example=f"slad reproduce {name} --detectors slad knn-1 --seeds 0",
        )
        _add_options(experiment, name)
        experiment.set_defaults(experiment=name)


def _add_options(parser: argparse.ArgumentParser, name: str) -> None:
    parser.add_argument(
        "--detectors",
        nargs="+",
        metavar="D",
        help="names as in docs/detectors.md, perhaps with parameters: 'slad[epochs=20]'; 'paper' "
        "stands for the methods of its tables (default: all)",
    )
    parser.add_argument("--datasets", nargs="+", metavar="D", help="some of its datasets only")
    parser.add_argument("--seeds", nargs="+", type=int, metavar="N", help="instead of its five")
    parser.add_argument(
        "--quick", action="store_true", help="few rows and one seed: a look, not a result"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"folder of the records (default: results/{name}); tables go to its folder report/",
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes (default: one for every core)"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (default: auto)")
    parser.add_argument("--retry", action="store_true", help="try again what failed")
    parser.add_argument("--no-pictures", action="store_true", help="tables only")


def run(options: argparse.Namespace) -> int:
    from slad.core.devices import resolve_device
    from slad.core.errors import ConfigError
    from slad.experiments.experiment import Experiment
    from slad.experiments.runner import carry_out
    from slad.reports import build

    if options.workers is not None and options.workers < 1:
        raise ConfigError(f"--workers {options.workers}: give a number from 1 up")
    resolve_device(options.device)
    experiment: Experiment = import_module(f"slad.experiments.{options.experiment}").EXPERIMENT
    runs, missing = experiment.plan(
        detectors=options.detectors,
        datasets=options.datasets,
        seeds=options.seeds,
        quick=options.quick,
    )
    if missing:
        print(f"slad: not at hand, left out: {', '.join(missing)}", file=sys.stderr)
    folder = options.out or experiment.folder(options.quick)
    try:
        summary = carry_out(
            runs,
            folder,
            workers=options.workers,
            device=options.device,
            retry=options.retry,
            command=shlex.join(["slad", *sys.argv[1:]]),
        )
    except KeyboardInterrupt:
        print("\nslad: stopped; the same command goes on from here", file=sys.stderr)
        return 130
    print(build(folder, folder / "report", pictures=not options.no_pictures))
    if summary.failed:
        print(f"slad: {summary.failed} runs failed; the records say why", file=sys.stderr)
    return 1 if summary.failed else 0
