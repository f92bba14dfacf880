"""`slad reproduce NAME`: run a table or figure of the paper and print it beside what is printed."""

from __future__ import annotations

import argparse
import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from slad.cli.parser import add_command

RUNS = {
    "effectiveness": "the paper's main table: ten datasets, five model seeds",
    "adbench": "the paper's ADBench table: average ranks over the classical sets, with tests",
    "variety": "the paper's figure of complicated normal data: one to nine normal classes",
    "contamination": "the paper's figure of anomalies among the training rows, up to a tenth",
    "ablation": "the paper's ablation: other maps, no feature weights, other losses",
    "sensitivity": "the paper's figure of four hyper-parameters: c, r, h and gamma",
}
"""Detectors on datasets: these take --detectors, --datasets and --seeds."""
BEYOND = {"tuning": "detectors on the tuning suite, which shares no source with ADBench"}
"""Such runs, too, but no item of the paper: `all` leaves them out."""
SEARCHES = {"subspace-search": "variants of the paper's scale learning on the tuning suite"}
"""Studies that `all` leaves out, too."""
STUDIES: dict[str, str] = {
    "inlier-priority": "the paper's figure of losses during training, inliers against anomalies",
    "class-dependency": "the paper's figure of losses of classes that were not trained on",
    "bound": "the paper's theorem on useful subspaces, its figure, and a search for exceptions",
    "gradients": "the paper's analysis of gradients: inliers against anomalies",
    "scalability": "the paper's scalability test: seconds against features and rows, by device",
    "series": "scale learning on time series, a direction that the paper names",
    "representation": "predicted scales as features for classifiers, another direction it names",
    "interpretation": "losses of subspaces as explanations, the third direction it names",
    "sharded": "fits in memory, from a stream and by several processes: are they as good?",
}
"""All others: theory, looks inside a training, timings."""
AGAIN = "What is recorded is not run again, so a second start goes on where the first one stopped."


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "reproduce",
        None,
        takes="NAME",
        summary="run an experiment of the paper",
        description="Run a table or figure of the paper and print it beside the printed figures.",
        example="slad reproduce adbench --quick",
    )
    experiments = parser.add_subparsers(metavar="NAME", required=True)
    of_runs = {**RUNS, **BEYOND}
    for name, summary in {**of_runs, **STUDIES, **SEARCHES}.items():
        choice = "--detectors slad knn-1 --seeds 0" if name in of_runs else "--quick"
        experiment = add_command(
            experiments,
            name,
            run if name in of_runs else run_study,
            of="slad reproduce",
            takes="",
            summary=summary,
            description=f"Run {summary}. {AGAIN}",
            example=f"slad reproduce {name} {choice}",
        )
        if name in of_runs:
            _add_choices(experiment)
        else:
            experiment.add_argument(
                "--cases", nargs="+", default=(), metavar="C", help="some of its cases only"
            )
        _add_options(experiment, f"results/{name}")
        experiment.set_defaults(experiment=name)
    every = add_command(
        experiments,
        "all",
        run_all,
        of="slad reproduce",
        takes="",
        summary="every table and figure, one after the other",
        description=f"Run every table and figure of the paper, one after the other. {AGAIN}",
        example="slad reproduce all --quick",
    )
    _add_options(every, "results/NAME")


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--detectors",
        nargs="+",
        metavar="D",
        help="names as in docs/detectors.md, perhaps with parameters: 'slad[n_neighbors=3]'; "
        "'paper' stands for the methods of its tables (default: all of the experiment)",
    )
    parser.add_argument("--datasets", nargs="+", metavar="D", help="some of its datasets only")
    parser.add_argument("--seeds", nargs="+", type=int, metavar="N", help="instead of its own")


def _add_options(parser: argparse.ArgumentParser, folder: str) -> None:
    parser.add_argument(
        "--quick", action="store_true", help="few rows and one seed: a look, not a result"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"folder of the records (default: {folder}); tables go to its folder report/",
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes (default: one for every core)"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (default: auto)")
    parser.add_argument("--retry", action="store_true", help="try again what failed")
    parser.add_argument("--no-pictures", action="store_true", help="tables only")


def run(options: argparse.Namespace) -> int:
    """An experiment of runs: detectors on datasets."""
    from slad.core.devices import resolve_device
    from slad.core.errors import ConfigError
    from slad_paper.pages import build
    from slad_paper.runner.experiment import Experiment
    from slad_paper.runner.running import carry_out

    if options.workers is not None and options.workers < 1:
        raise ConfigError(f"--workers {options.workers}: give a number from 1 up")
    resolve_device(options.device)
    experiment: Experiment = _module(options.experiment).EXPERIMENT
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
            command=_command(),
        )
    except KeyboardInterrupt:
        return _stopped()
    print(build(folder, folder / "report", pictures=not options.no_pictures))
    if summary.failed:
        print(f"slad: {summary.failed} runs failed; the records say why", file=sys.stderr)
    return 1 if summary.failed else 0


def run_study(options: argparse.Namespace) -> int:
    """An experiment of cases of its own."""
    from slad_paper.pages import build
    from slad_paper.runner.study import Study, carry_out

    study: Study = _module(options.experiment).STUDY
    folder = options.out or study.folder(options.quick)
    try:
        carry_out(
            study,
            folder,
            quick=options.quick,
            device=options.device,
            only=options.cases,
            command=_command(),
        )
    except KeyboardInterrupt:
        return _stopped()
    print(build(folder, folder / "report", pictures=not options.no_pictures))
    return 0


def run_all(options: argparse.Namespace) -> int:
    """Every experiment; one whose data is not at hand is left out, and said so."""
    from slad.core.errors import DataError

    failed, left_out = [], []
    for name in (*RUNS, *STUDIES):
        own = {"experiment": name, "out": options.out and options.out / name}
        own |= {"detectors": None, "datasets": None, "seeds": None, "cases": ()}
        print(f"slad: {name}", file=sys.stderr)
        try:
            code = (run if name in RUNS else run_study)(argparse.Namespace(**(vars(options) | own)))
        except DataError as error:
            print(f"slad: {name} is left out: {error}", file=sys.stderr)
            left_out.append(name)
            continue
        if code == 130:
            return code
        failed += [name] if code else []
    for what, names in (("left out", left_out), ("with failures", failed)):
        if names:
            print(f"slad: {what}: {', '.join(names)}", file=sys.stderr)
    return 1 if failed or len(left_out) == len(RUNS) + len(STUDIES) else 0


def _module(name: str) -> Any:
    return import_module(f"slad_paper.studies.{name.replace('-', '_')}")


def _command() -> str:
    return shlex.join(["slad", *sys.argv[1:]])


def _stopped() -> int:
    print("\nslad: stopped; the same command goes on from here", file=sys.stderr)
    return 130
