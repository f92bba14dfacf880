"""`slad export MODEL --onnx FILE`: write a model for other runtimes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from slad.cli import options as shared
from slad.cli.parser import add_command
from slad.cli.paths import check_outputs
from slad.core.errors import ConfigError


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "export",
        run,
        takes="MODEL --onnx FILE",
        summary="write a model for another runtime",
        description="Write a model of numeric columns as one ONNX graph that encodes, scales, "
        "scores and decides. The graph's scores are compared with the model's on generated rows.",
        example="slad export orders.slad --onnx orders.onnx",
    )
    shared.add_model(parser)
    parser.add_argument("--onnx", type=Path, metavar="FILE", help="file for the graph (required)")


def run(options: argparse.Namespace) -> int:
    from slad.engines.onnx import check_export, export
    from slad.model import TableDetector

    if options.onnx is None:
        raise ConfigError("--onnx FILE is required: the file for the graph, as --onnx orders.onnx")
    check_outputs(options, options.model)
    model = TableDetector.load(options.model, device="cpu")
    export(model, options.onnx)
    worst = check_export(model, options.onnx)
    size = options.onnx.stat().st_size / 1e6
    print(f"{options.onnx}: {size:.1f} MB, scores differ from the model's by at most {worst:.1g}")
    return 0
