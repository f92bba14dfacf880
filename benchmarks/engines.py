"""What it costs to score rows by files, by engines, as a graph and on a GPU, in one run.

Every way is also walked with a scorer that only passes rows through, which shows the engine's own
cost. Ways are interleaved and repeated, and the shortest time counts. One record a case under
paper/results/speed/.

    python benchmarks/engines.py                          # engines against each other
    python benchmarks/engines.py --cases big onnx         # 20,000,000 rows; a graph
    python benchmarks/engines.py --cases gpu --device cuda  # where there is one
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from slad.core.devices import resolve_device
from slad_paper.runner.records import environment, write_record

LIBRARIES = ("pyarrow", "pandas", "pyspark", "ray", "dask", "onnx", "onnxruntime")
CASES = {
    "engines": ("engines_turns", "engines-cpu"),
    "big": ("engines_big", "engines-big-cpu"),
    "onnx": ("engines_onnx", "onnx-cpu"),
    "gpu": ("engines_gpu", "engines-cuda"),
}
"""The module whose `run` and `lines` a case is, and the name of its record. A module is imported
for its case only: a GPU machine needs no engines."""
WAYS = ("memory", "streamed", "spark", "ray", "dask", "onnx")


def installed() -> dict[str, str]:
    """Versions of what takes part, beyond slad's own libraries."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def command(arguments: Sequence[str]) -> str:
    """The command without the places of this machine."""
    words = ["python", "benchmarks/engines.py", *arguments]
    for option, stands_for in (("--results", "paper/results/speed"), ("--scratch", "DIR")):
        if option in words:
            words[words.index(option) + 1] = stands_for
    return " ".join(words)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=["engines"])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), help="some engines")
    parser.add_argument("--device", default="cpu", type=resolve_device)
    parser.add_argument("--repeats", type=int, default=4, help="turns of the engines")
    parser.add_argument("--small", action="store_true", help="few rows, to try the code")
    parser.add_argument("--scratch", type=Path, help="folder for made-up files")
    parser.add_argument("--results", type=Path, default=Path("paper/results/speed"))
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(given)
    for name in options.cases:
        print(f"{name} on {options.device.type} ...", file=sys.stderr)
        module, record_name = CASES[name]
        case = import_module(module)
        result = case.run(options)
        record = {"benchmark": name, "device": options.device.type, "result": result}
        about = environment(command(given))
        about["versions"] |= installed()
        write_record(options.results / f"{record_name}.json", record | {"environment": about})
        print("\n".join(case.lines(result)))
        print(json.dumps({name: result}), file=sys.stderr)


if __name__ == "__main__":
    main()
