"""The options that commands share, in groups. None means: not given on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from slad.cli.option_types import parameter, seed, share, whole

RULES = ("fpr", "fdr", "top", "contamination")
DEFAULT_RULE = ("fpr", 0.01)
CALIBRATIONS = ("auto", "cross", "split")
DEFAULTS: dict[str, Any] = {
    "drop": [],
    "keep": [],
    "category": [],
    "set": [],
    "detector": "auto",
    "memory": 2 * 2**30,
    "calibration": "auto",
    "seed": 0,
    "device": "auto",
    "show": 10,
    "reasons": 5,
    "quiet": False,
    "with_columns": False,
    "fail_on_anomaly": False,
}


def settle(options: argparse.Namespace) -> argparse.Namespace:
    """Fill in the default of everything that neither the line nor a file gave."""
    for name, value in DEFAULTS.items():
        if getattr(options, name, value) is None:
            setattr(options, name, value)
    return options


def chosen_detector(options: argparse.Namespace) -> str:
    """The detector's name, with "auto" settled."""
    from slad.detectors import resolved

    return resolved(options.detector)


def chosen_rule(options: argparse.Namespace) -> tuple[str, float] | None:
    """The way to decide that was asked for, if any."""
    for name in RULES:
        if (value := getattr(options, name)) is not None:
            return name, value
    return None


def add_table(
    parser: argparse.ArgumentParser, what: str = "the table to judge", *, several: bool = False
) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="+" if several else None,
        help=f"{what}: CSV, TSV, Parquet, Feather or JSON lines, plain or compressed; - is stdin",
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, metavar="MODEL", help="file that `slad fit` wrote")


def add_columns(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("columns")
    group.add_argument("--id", metavar="COL", help="column that names a row; not learned from")
    _add_columns_of(group, "--drop", "columns to leave out")
    _add_columns_of(group, "--keep", "columns to use that would be left out, as ids are")
    _add_columns_of(group, "--category", "columns whose numbers are only names, as codes are")
    add_label(group)


def add_label(group: Any) -> None:
    group.add_argument(
        "--label", metavar="COL", help="column that knows the anomalies: to measure, never to learn"
    )
    group.add_argument(
        "--positive", metavar="VALUE", help="value of --label that means anomaly (else guessed)"
    )


def add_detector(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("detector")
    group.add_argument(
        "--detector",
        metavar="NAME",
        help="as in docs/detectors.md (default: auto, which is slad)",
    )
    group.add_argument(
        "--set",
        nargs="+",
        action="extend",
        type=parameter,
        metavar="KEY=VALUE",
        help="parameters of the detector, such as n_neighbors=3",
    )
    group.add_argument(
        "--calibration",
        choices=CALIBRATIONS,
        help="how held-out scores are made: in turns, on a part, or as the size asks (default)",
    )
    group.add_argument("--seed", type=seed, metavar="N", help="of every random draw (default: 0)")
    add_device(group)


def add_device(group: Any) -> None:
    group.add_argument("--device", metavar="D", help="auto, cpu or cuda (default: auto)")


def add_rule(parser: argparse.ArgumentParser, default: str = "--fpr 0.01") -> None:
    group = parser.add_argument_group("what counts as strange", f"one of four; default: {default}")
    one = group.add_mutually_exclusive_group()
    one.add_argument(
        "--fpr", type=share, metavar="SHARE", help="false alarms among normal rows, as 0.01 or 1%%"
    )
    one.add_argument(
        "--fdr",
        type=share,
        metavar="SHARE",
        help="false alarms among the flagged rows; needs rows known to be normal",
    )
    one.add_argument("--top", type=whole, metavar="K", help="the K strangest rows")
    one.add_argument(
        "--contamination", type=share, metavar="SHARE", help="share believed strange in training"
    )
    group.add_argument(
        "--reject",
        type=share,
        metavar="CONFIDENCE",
        help="call rows unsure whose side of the threshold is less certain than this, as 0.9",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--out", metavar="PATH", help="every row with score and decision, by ending; - is stdout"
    )
    group.add_argument(
        "--with-columns",
        action="store_true",
        default=None,
        help="the table's own columns in --out as well",
    )
    group.add_argument("--report", type=Path, metavar="PATH.html", help="one page for people")
    group.add_argument("--show", type=whole, metavar="N", help="rows to print (default: 10)")
    group.add_argument(
        "--fail-on-anomaly",
        action="store_true",
        default=None,
        help="end with exit code 3 when a row is flagged",
    )
    add_run(group)


def add_run(group: Any) -> None:
    """What every command that does work has."""
    group.add_argument(
        "--manifest", type=Path, metavar="PATH", help="where to note what was done (else beside)"
    )
    group.add_argument(
        "--config", type=Path, metavar="TOML", help="options from a file, by the same names"
    )
    group.add_argument("--quiet", action="store_true", default=None, help="no progress on stderr")


def _add_columns_of(group: Any, name: str, text: str) -> None:
    group.add_argument(name, nargs="+", action="extend", metavar="COL", help=text)
