"""`slad info MODEL`: describe a saved model."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from slad.cli.options import add_model
from slad.cli.parser import add_command

if TYPE_CHECKING:
    from slad.model import TableDetector


def add_parser(commands: Any) -> None:
    parser = add_command(
        commands,
        "info",
        run,
        takes="MODEL",
        summary="describe a saved model",
        description="Describe a saved model: the table it learned from, its detector, the columns "
        "it uses, how it was calibrated, and what its decisions guarantee.",
        example="""
            slad info orders.slad
            slad info orders.slad --json
        """,
    )
    add_model(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    from slad.core.artifact import read_artifact
    from slad.model import TableDetector

    found = described(TableDetector.load(options.model, device="cpu"))
    found["slad"] = read_artifact(options.model)[0]["slad_version"]
    if options.json:
        print(json.dumps(found, indent=1))
        return 0
    source, calibration = found["input"], found["calibration"]
    given = ", ".join(f"{key}={value}" for key, value in found["detector"]["parameters"].items())
    print(f"{options.model}: a table model, written by slad {found['slad']}")
    checksum = f", sha256 {source['sha256']}" if source["sha256"] else ""
    print(f"learned from  {source['name']}, {source['rows']:,} rows{checksum}")
    print(f"detector      {found['detector']['name']}{f' ({given})' if given else ''}")
    print(
        f"calibration   {calibration['rows']:,} held-out rows, {calibration['kind']}, "
        f"{'known to be normal' if calibration['clean'] else 'not known to be normal'}"
    )
    print(f"decision      {found['rule']['sentence']}")
    print("columns")
    width = max(len(column["name"]) for column in found["columns"])
    for column in found["columns"]:
        print(f"  {column['name']:{width}}  {column['kind']:8}  {column['note']}".rstrip())
    return 0


def described(model: TableDetector) -> dict[str, Any]:
    """A description of the model that holds no row of its table."""
    from slad.model import model_facts

    return model_facts(model) | {
        "kind": "model",
        "input": model.training_,
        "id": model.id,
        "columns": [
            {"name": column.name, "kind": column.kind, "used": column.used, "note": column.note}
            for column in model.plan_
        ],
        "notes": list(model.notes_),
    }
