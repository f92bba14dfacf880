"""The cost of a large job: bytes and operations per row, and the time a cluster would take.

    python -m slad.engines.planning --rows 1e9 --cores 100

The rates of a core and of a GPU come from the records of benchmarks/engines.py, or from the command
line. What was not measured is assumed: see `slad.engines.simulation.Assumptions`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from slad.core.errors import ConfigError
from slad.core.version import __version__
from slad.detectors import Capability, require
from slad.detectors.base import CountsOperations
from slad.detectors.slad.scoring import operations_per_row
from slad.engines.simulation import Assumptions, Load, Outcome, simulate
from slad.model import TableDetector

CELL_BYTES = 4
RESULT_BYTES = 4 * 8
"""Written per row: id, score, error and p-value. The decision repeats, and compresses away."""
ROWS_A_TASK = 1_000_000
CORES_A_GPU = 8
"""Cores that feed rows to a GPU and write its scores: an assumption."""
FEATURES = 32


@dataclass(frozen=True)
class RowCost:
    """What one row costs."""

    bytes_read: int
    bytes_written: int
    flops: int
    """Multiplications and additions of the networks, without encoding, scaling and losses."""


def slad_cost(
    n_features: int, *, n_groups: int = 20, group_size: int = 10, hidden_dim: int = 100
) -> RowCost:
    """The cost of scoring a row of numbers with one SLAD network of these shapes.

    >>> slad_cost(32).flops
    1360000
    """
    flops = operations_per_row(
        n_features, n_groups=n_groups, group_size=group_size, hidden_dim=hidden_dim
    )
    return RowCost(CELL_BYTES * n_features, RESULT_BYTES, flops)


def cost_of(model: TableDetector) -> RowCost:
    """The cost of a row with a fitted table model: it is read once, and all folds score it."""
    detectors = [fold_model.detector for fold_model in model.fold_models_]
    require(Capability.ROW_COST, detectors[0], model.detector)
    flops = sum(cast("CountsOperations", each).row_operations() for each in detectors)
    columns = sum(column.used for column in model.plan_)
    return RowCost(CELL_BYTES * columns, RESULT_BYTES, flops)


@dataclass(frozen=True)
class Plan:
    """A job on workers of known rates."""

    rows: int
    workers: int
    score_rate: float
    """Rows per second that one worker scores in its memory."""
    convert_rate: float
    """Rows per second that one worker reads from Parquet and writes scores of."""
    cost: RowCost
    rows_a_task: int = ROWS_A_TASK

    def load(self) -> Load:
        tasks = max(1, round(self.rows / self.rows_a_task))
        each = self.rows / tasks
        moved = each * (self.cost.bytes_read + self.cost.bytes_written)
        return Load(tasks, self.workers, moved, each / self.convert_rate, each / self.score_rate)

    def efficiency(self, outcome: Outcome) -> float:
        """Relative to workers that do nothing but score, and all end at the same time."""
        return self.rows / (self.workers * self.score_rate) / outcome.seconds


@dataclass(frozen=True)
class Rates:
    """Rows of 32 numbers per second, of a core, which also converts, and of a GPU."""

    core: float
    convert: float
    gpu: float | None = None

    @classmethod
    def recorded(cls, folder: Path) -> Rates:
        """From the records of benchmarks/engines.py."""
        try:
            one = json.loads((folder / "engines-cpu.json").read_text("utf-8"))["result"]["core"]
        except (OSError, KeyError) as error:
            raise ConfigError(
                f"{folder} has no record of the rates of a core: run benchmarks/engines.py, or "
                "use --rate and --convert-rate"
            ) from error
        return cls(one["score"], one["convert"], _gpu_rate(folder / "engines-cuda.json"))


def _gpu_rate(record: Path) -> float | None:
    """The rate of the best batch size, for rows that come from the machine's memory."""
    if not record.exists():
        return None
    result = json.loads(record.read_text("utf-8"))["result"]
    ways = result[f"{FEATURES} features"]["from_host"]
    return max(float(each["rows_per_second"]) for each in ways.values())


@dataclass(frozen=True)
class Question:
    """A job, and the clusters to simulate it on."""

    rows: int
    cores: Sequence[int]
    gpus: Sequence[int]
    rows_a_task: int = ROWS_A_TASK

    def plans(self, rates: Rates) -> Iterator[tuple[str, Plan]]:
        """The job on each number of cores, and on each number of GPUs."""
        of_core = Plan(self.rows, 1, rates.core, rates.convert, slad_cost(FEATURES))
        of_core = replace(of_core, rows_a_task=self.rows_a_task)
        for count in self.cores:
            yield "core", replace(of_core, workers=count)
        if rates.gpu is not None:
            convert = CORES_A_GPU * rates.convert
            of_gpu = replace(of_core, score_rate=rates.gpu, convert_rate=convert)
            for count in self.gpus:
                yield "GPU", replace(of_gpu, workers=count)


def answer(question: Question, rates: Rates) -> dict[str, Any]:
    """The outcome of every plan, with all of its inputs."""
    assumed = Assumptions()
    found = []
    for kind, plan in question.plans(rates):
        outcome = simulate(plan.load(), assumed)
        shares = asdict(outcome) | {"efficiency": plan.efficiency(outcome)}
        found.append({"kind": kind, "workers": plan.workers} | shares)
    return {
        "rows": question.rows,
        "features": FEATURES,
        "rows_a_task": question.rows_a_task,
        "cores_a_gpu": CORES_A_GPU,
        "rates": asdict(rates),
        "cost": asdict(slad_cost(FEATURES)),
        "assumptions": asdict(assumed),
        "plans": found,
    }


def lines(result: dict[str, Any]) -> Iterator[str]:
    """The outcomes as a table in Markdown."""
    shares = ("score", "convert", "store", "engine", "idle")
    yield "| workers | time | rows/s | efficiency | " + " | ".join(shares) + " |"
    yield "|---" * (4 + len(shares)) + "|"
    for each in result["plans"]:
        minutes = f"{each['seconds'] / 60:,.1f} min"
        workers = f"{each['workers']:,} {each['kind']}{'s' * (each['workers'] > 1)}"
        cells = [workers, minutes, f"{result['rows'] / each['seconds'] / 1e6:,.2f} M"]
        cells += [f"{each[name]:.0%}" for name in ("efficiency", *shares)]
        yield "| " + " | ".join(cells) + " |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=float, default=1e9)
    parser.add_argument("--cores", type=int, nargs="*", default=[10, 50, 100, 200, 500, 1000])
    parser.add_argument("--gpus", type=int, nargs="*", default=[1, 2, 4, 8, 16])
    parser.add_argument("--rows-a-task", type=float, default=ROWS_A_TASK)
    parser.add_argument("--records", type=Path, default=Path("paper/results/speed"))
    parser.add_argument("--rate", type=float, help="rows per second that a core scores")
    parser.add_argument("--convert-rate", type=float, help="rows per second that a core converts")
    parser.add_argument(
        "--out", type=Path, help="write the outcomes and their inputs to this JSON file"
    )
    options = parser.parse_args(arguments)
    if options.rate and options.convert_rate:
        rates = Rates(options.rate, options.convert_rate)
    else:
        rates = Rates.recorded(options.records)
        rates = replace(
            rates,
            core=options.rate or rates.core,
            convert=options.convert_rate or rates.convert,
        )
    question = Question(int(options.rows), options.cores, options.gpus, int(options.rows_a_task))
    result = answer(question, rates)
    shown = list(lines(result))
    print("\n".join(shown))
    if options.out:
        kept = result | {"table": shown, "slad": __version__}
        options.out.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
