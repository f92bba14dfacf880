"""Options that several commands share, by group. None means: not given on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from slad.cli.option_types import fraction, parameter, positive_integer, seed

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
    """Fill in the default of every option that neither the command line nor a file gave."""
    for name, value in DEFAULTS.items():
        if getattr(options, name, value) is None:
            setattr(options, name, value)
    return options


def chosen_rule(options: argparse.Namespace) -> tuple[str, float] | None:
    """The rule that the options give, if any."""
    for name in RULES:
        if (value := getattr(options, name)) is not None:
            return name, value
    return None


def add_table(
    parser: argparse.ArgumentParser, what: str = "table to score", *, several: bool = False
) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="+" if several else None,
        help=f"{what}: CSV, TSV, Parquet, Feather or JSON lines, plain or compressed; "
        "- reads stdin",
    )


def add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, metavar="MODEL", help="file that `slad fit` wrote")


def add_columns(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("columns")
    group.add_argument(
        "--id", metavar="COL", help="column that identifies a row; not used for learning"
    )
    _add_columns_of(group, "--drop", "columns to leave out")
    _add_columns_of(group, "--keep", "columns to use although they look like ids")
    _add_columns_of(group, "--category", "columns of numbers to use as categories, such as codes")
    add_label(group)


def add_label(group: Any) -> None:
    group.add_argument(
        "--label", metavar="COL", help="ground-truth column, used for evaluation only"
    )
    group.add_argument(
        "--positive",
        metavar="VALUE",
        help="value of --label that means anomaly (default: the value that is called so, "
        "such as 1 or fraud, else the rarer one)",
    )


def add_detector(parser: argparse.ArgumentParser, auto: str = "learned-signals") -> None:
    group = parser.add_argument_group("detector")
    group.add_argument(
        "--detector",
        metavar="NAME",
        help=f"a name from docs/detectors.md (default: auto, which takes {auto})",
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
        help="how rows are held out for p-values: cross holds out every row once, split one "
        "part of the rows; auto goes by the number of rows (default: auto)",
    )
    group.add_argument("--seed", type=seed, metavar="N", help="random seed (default: 0)")
    add_device(group)


def add_device(group: Any) -> None:
    group.add_argument("--device", metavar="D", help="auto, cpu or cuda (default: auto)")


def add_rule(parser: argparse.ArgumentParser, default: str = "--fpr 0.01") -> None:
    group = parser.add_argument_group("what counts as strange", f"at most one; default: {default}")
    one = group.add_mutually_exclusive_group()
    one.add_argument(
        "--fpr",
        type=fraction,
        metavar="RATE",
        help="false-alarm rate: the fraction of normal rows that are flagged, as 0.01 or 1%%",
    )
    one.add_argument(
        "--fdr",
        type=fraction,
        metavar="RATE",
        help="fraction of false alarms among the flagged rows; needs rows known to be normal",
    )
    one.add_argument("--top", type=positive_integer, metavar="K", help="flag the K strangest rows")
    one.add_argument(
        "--contamination",
        type=fraction,
        metavar="FRACTION",
        help="fraction of anomalies among the training rows",
    )
    group.add_argument(
        "--reject",
        type=fraction,
        metavar="CONFIDENCE",
        help="call a row unsure if its decision is less certain than this, such as 0.9",
    )


def add_output(parser: argparse.ArgumentParser, folder: str = "") -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "--out",
        metavar="PATH",
        help="file for the score and decision of every row, in the format of its ending; "
        f"- writes CSV to stdout{folder}",
    )
    group.add_argument(
        "--with-columns",
        action="store_true",
        default=None,
        help="write the table's own columns to --out as well",
    )
    group.add_argument(
        "--report", type=Path, metavar="PATH.html", help="file for a report, one HTML page"
    )
    group.add_argument(
        "--show", type=positive_integer, metavar="N", help="number of rows to print (default: 10)"
    )
    group.add_argument(
        "--fail-on-anomaly",
        action="store_true",
        default=None,
        help="exit with code 3 if a row is flagged",
    )
    add_run(group)


def add_run(group: Any) -> None:
    """Options of every command that works on tables."""
    group.add_argument(
        "--manifest",
        type=Path,
        metavar="PATH",
        help="file for the manifest (default: beside the output, else in the cache folder)",
    )
    group.add_argument(
        "--config",
        type=Path,
        metavar="TOML",
        help="file of options by the same names; the command line takes precedence",
    )
    group.add_argument(
        "--quiet", action="store_true", default=None, help="print only warnings on stderr"
    )


def _add_columns_of(group: Any, name: str, text: str) -> None:
    group.add_argument(name, nargs="+", action="extend", metavar="COL", help=text)
