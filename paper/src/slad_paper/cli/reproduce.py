"""`slad reproduce NAME`: run a study of the laboratory and print its page."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from slad.cli.parser import add_command
from slad_paper.studies import STUDIES, Entry

AGAIN = "Recorded results are not run again, so a second start goes on where the first stopped."
SUFFIXES = {"paper": "", "beyond": " (beyond the paper)", "search": " (search for settings)"}


def add_parser(commands: Any) -> None:
    """Add `reproduce` with a command for each study to the parser of the main program."""
    parser = add_command(
        commands,
        "reproduce",
        None,
        takes="NAME",
        summary="run a study of the paper",
        description="Run a table or figure of the paper, or another study of the laboratory, and "
        f"print it beside the printed figures. {AGAIN}",
        example="slad reproduce adbench --quick",
    )
    studies = parser.add_subparsers(metavar="NAME", required=True)
    for name, entry in STUDIES.items():
        _add_study(studies, name, entry)
    every = add_command(
        studies,
        "all",
        run_all,
        of="slad reproduce",
        takes="",
        summary="every table and figure of the paper, one after the other",
        description=f"Run every table and figure of the paper, one after the other. {AGAIN}",
        example="slad reproduce all --quick",
    )
    _add_options(every, "results/NAME")


def _add_study(studies: Any, name: str, entry: Entry) -> None:
    choice = "--detectors slad knn-1 --seeds 0" if entry.compares else "--quick"
    parser = add_command(
        studies,
        name,
        run,
        of="slad reproduce",
        takes="",
        summary=entry.summary + SUFFIXES[entry.kind],
        description=f"Run {entry.summary}. {AGAIN}",
        example=f"slad reproduce {name} {choice}",
    )
    if entry.compares or entry.detectors:
        parser.add_argument(
            "--detectors",
            nargs="+",
            metavar="D",
            help="names as in docs/detectors.md, perhaps with parameters: 'slad[epochs=20]'; "
            "'paper' stands for the methods of its tables (default: all of the study)",
        )
    if entry.compares:
        parser.add_argument(
            "--datasets", nargs="+", metavar="D", help="only these datasets of the study"
        )
        parser.add_argument(
            "--seeds", nargs="+", type=int, metavar="N", help="other seeds than the study's"
        )
    else:
        parser.add_argument("--cases", nargs="+", metavar="C", help="only these cases of the study")
    _add_options(parser, f"results/{name}")
    parser.set_defaults(study=name)


def _add_options(parser: argparse.ArgumentParser, folder: str) -> None:
    parser.add_argument(
        "--quick", action="store_true", help="few rows and one seed: a trial, not a result"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"folder of the records (default: {folder} in the current folder, which is paper/ in "
        "the repository); tables and pictures go to its folder report/",
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="processes for runs of detectors (default: one for every core)",
    )
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda (default: auto)")
    parser.add_argument("--retry", action="store_true", help="run failed runs again")
    parser.add_argument("--no-pictures", action="store_true", help="tables only")


def run(options: argparse.Namespace) -> int:
    """Run what is not recorded of a study, and print its page."""
    from slad.core.devices import resolve_device
    from slad.core.errors import ConfigError
    from slad_paper.pages.of_study import page
    from slad_paper.runner.running import carry_out

    if options.workers is not None and options.workers < 1:
        raise ConfigError(f"--workers {options.workers}: give a number from 1 up")
    resolve_device(options.device)
    study = STUDIES[options.study].load()
    folder = options.out or study.folder(options.quick)
    chosen = {name: vars(options).get(name) for name in ("detectors", "datasets", "seeds", "cases")}
    work, missing = study.plan(
        quick=options.quick,
        folder=folder,
        device=options.device,
        workers=options.workers,
        **chosen,
    )
    if missing:
        print(f"slad: not at hand, left out: {', '.join(missing)}", file=sys.stderr)
    try:
        summary = carry_out(
            work,
            folder,
            workers=options.workers,
            device=options.device,
            retry=options.retry,
            command=shlex.join(["slad", *sys.argv[1:]]),
        )
    except KeyboardInterrupt:
        print("\nslad: stopped; the same command goes on from here", file=sys.stderr)
        return 130
    print(page(options.study, folder, pictures=not options.no_pictures))
    if summary.failed:
        print(f"slad: {summary.failed} runs failed; the records say why", file=sys.stderr)
    return 1 if summary.failed else 0


def run_all(options: argparse.Namespace) -> int:
    """Every study of the paper; one whose data is not at hand is left out, with a message."""
    from slad.core.errors import DataError

    failed, left_out = [], []
    names = [name for name, entry in STUDIES.items() if entry.kind == "paper"]
    for name in names:
        own = {"study": name, "out": options.out and options.out / name}
        print(f"slad: {name}", file=sys.stderr)
        try:
            code = run(argparse.Namespace(**(vars(options) | own)))
        except DataError as error:
            print(f"slad: {name} is left out: {error}", file=sys.stderr)
            left_out.append(name)
            continue
        if code == 130:
            return code
        failed += [name] if code else []
    for what, which in (("left out", left_out), ("with failures", failed)):
        if which:
            print(f"slad: {what}: {', '.join(which)}", file=sys.stderr)
    return 1 if failed or left_out == names else 0
