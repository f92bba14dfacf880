"""`slad export MODEL --onnx FILE`: a model for other runtimes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from slad.cli import options as shared
from slad.cli.parser import add_command
from slad.core.errors import ConfigError


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "export",
        run,
        takes="MODEL --onnx FILE",
        summary="write a model for another runtime",
        description="Write a model of a table of numbers as one ONNX graph: encoding, scaling, "
        "scoring and the decision, for any number of rows. It is held against the model on made-up "
        "rows before it is done.",
        example="slad export orders.slad --onnx orders.onnx",
    )
    shared.add_model(parser)
    parser.add_argument("--onnx", type=Path, metavar="FILE", help="the graph to write; needed")


def run(options: argparse.Namespace) -> int:
    from slad.engines.onnx import check_export, export
    from slad.model import TableDetector

    if options.onnx is None:
        raise ConfigError("say where to write the graph: --onnx orders.onnx")
    if not options.onnx.parent.is_dir():
        raise ConfigError(f"--onnx {options.onnx}: there is no folder {options.onnx.parent}")
    model = TableDetector.load(options.model, device="cpu")
    export(model, options.onnx)
    worst = check_export(model, options.onnx)
    size = options.onnx.stat().st_size / 1e6
    print(f"{options.onnx}: {size:.1f} MB, scores differ from the model's by {worst:.1g} at most")
    return 0
