"""Whether a model is as good when its rows come as a stream, or to several processes.

No item of the paper. A dataset's training rows are written as eight Parquet files and fitted by
`slad fit`: in memory, as a stream, and by torchrun with two and four processes; the same test rows
are scored by each model. Subspaces, maps and first weights follow from the seed and are the same
in all of them, and so are the rows held out; the order of rows is not. How much that alone moves
the figures is measured as well: by fits in memory of the same rows in other orders. Two more cases
measure the memory that a streamed fit takes of one table and of four times as many rows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from slad.core.errors import DataError
from slad.core.seeds import Streams
from slad.model import TableDetector
from slad_paper.datasets import load
from slad_paper.datasets.protocol import half_normal_split
from slad_paper.runner.metrics import auc_pr, auc_roc
from slad_paper.runner.study import Case, CaseStudy

DATASETS = ("thyroid", "pageblocks", "bank")
RECIPES = ("slad-subspaces", "slad-released")
EPOCHS = 10
"""For both recipes: the authors' own number on one of the datasets, the default on all."""
SEEDS = (0, 1, 2)
MORE_SEEDS = {("bank", "slad-subspaces"): tuple(range(3, 10))}
"""Where the order of rows alone moves AUC-ROC by 0.01, three seeds tell little."""
ORDERS = 5
"""Of the rows, for each seed, in memory."""
FILES, GROUPS = 8, 2
"""Files of a table, and row groups of each."""
WAYS = {"stream": 1, "2 processes": 2, "4 processes": 4}
"""Beside memory: how many processes read the stream."""
STREAM = "1KB"
"""A limit for memory that no table is below."""


def cases(quick: bool) -> list[Case]:
    seeds, epochs = (SEEDS[:1], 1) if quick else (SEEDS, EPOCHS)
    ways = [way for way, count in WAYS.items() if not quick or count == 2]
    fits = [
        (dataset, detector)
        for dataset in (DATASETS[:1] if quick else DATASETS)
        for detector in (RECIPES[:1] if quick else RECIPES)
    ]
    same = [_case("", *fit, epochs, seeds, ways=ways) for fit in fits]
    same += [
        _case("-more", *fit, epochs, MORE_SEEDS[fit], ways=ways)
        for fit in fits
        if fit in MORE_SEEDS and not quick
    ]
    same += [_case("-orders", *fit, epochs, seeds, orders=ORDERS) for fit in fits]
    rows = (20_000,) if quick else (1_250_000, 5_000_000)
    large = [
        Case(f"memory-{count}", {"rows": count, "columns": 32, "files": 20, "epochs": 1})
        for count in rows
    ]
    return [*same, *large]


def _case(
    ending: str, dataset: str, detector: str, epochs: int, seeds: Sequence[int], **more: Any
) -> Case:
    settings = {"dataset": dataset, "detector": detector, "epochs": epochs, "seeds": list(seeds)}
    return Case(f"{dataset}-{detector}{ending}", settings | more, datasets=(dataset,))


def run(case: Case, device: str) -> dict[str, Any]:
    if "rows" in case.settings:
        return _memory(case, device)
    return _orders(case, device) if "orders" in case.settings else _agreement(case, device)


def _orders(case: Case, device: str) -> dict[str, Any]:
    """Area under the ROC curve in memory, for some orders of the same rows, for each seed."""
    data = load(case.settings["dataset"], download=False)
    found = []
    for seed in case.settings["seeds"]:
        split = half_normal_split(data.X, data.y, seed)
        rng, test = Streams(seed).numpy("orders"), _table(split.test)
        for _ in range(case.settings["orders"]):
            train = _table(split.train[rng.permutation(len(split.train))])
            scores = _in_memory(case, train, seed, device).anomaly_score(test)
            found.append({"seed": seed, "auc_roc": auc_roc(split.test_labels, scores)})
    return {"orders": found}


def _agreement(case: Case, device: str) -> dict[str, Any]:
    """Area under the ROC and the precision-recall curve of every way, for each seed."""
    data = load(case.settings["dataset"], download=False)
    found: dict[str, list[dict[str, float]]] = {}
    for seed in case.settings["seeds"]:
        split = half_normal_split(data.X, data.y, seed)
        train, test = (_table(rows) for rows in (split.train, split.test))
        with tempfile.TemporaryDirectory() as place:
            _write(train, Path(place) / "train")
            for way in ("memory", *case.settings["ways"]):
                start = time.perf_counter()
                model = (
                    _in_memory(case, train, seed, device)
                    if way == "memory"
                    else _streamed(case, Path(place), seed, device, WAYS[way])
                )
                seconds = time.perf_counter() - start
                scores = model.anomaly_score(test)
                found.setdefault(way, []).append(
                    {
                        "seed": seed,
                        "auc_roc": auc_roc(split.test_labels, scores),
                        "auc_pr": auc_pr(split.test_labels, scores),
                        "seconds": round(seconds, 2),
                    }
                )
    return {"rows": train.num_rows, "columns": train.num_columns, "ways": found}


def _table(rows: Any) -> pa.Table:
    return pa.table({f"c{at}": np.ascontiguousarray(rows[:, at]) for at in range(rows.shape[1])})


def _write(table: pa.Table, folder: Path) -> None:
    folder.mkdir()
    for at, places in enumerate(np.array_split(np.arange(table.num_rows), FILES)):
        part = table.slice(places[0], len(places))
        size = -(-len(places) // GROUPS)
        parquet.write_table(part, folder / f"{at}.parquet", row_group_size=size)


def _in_memory(case: Case, train: pa.Table, seed: int, device: str) -> TableDetector:
    model = TableDetector(
        case.settings["detector"],
        parameters={"epochs": case.settings["epochs"]},
        calibration="split",
        random_state=seed,
        device=device,
    )
    return model.fit(train)


def _streamed(case: Case, place: Path, seed: int, device: str, processes: int) -> TableDetector:
    options = ["--detector", case.settings["detector"], "--seed", str(seed)]
    _slad_fit(place, device, case.settings["epochs"], options, processes)
    return TableDetector.load(place / "m.slad", device=device)


def _slad_fit(
    place: Path, device: str, epochs: int, options: Sequence[str], processes: int = 1
) -> int:
    """Run the command in a folder that holds the table in `train`; its peak memory in bytes."""
    shared = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    words = ["-m", "slad", "fit", "train", "--out", "m.slad", "--memory", STREAM]
    words += ["--set", f"epochs={epochs}", "--device", device, *options]
    with open(place / "said", "w+") as said:
        job = subprocess.Popen(
            [sys.executable, *(shared if processes > 1 else []), *words],
            cwd=place,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            stdout=subprocess.DEVNULL,
            stderr=said,
        )
        _, status, used = os.wait4(job.pid, 0)
        job.returncode = os.waitstatus_to_exitcode(status)
        if job.returncode:
            said.seek(0)
            raise DataError(f"{' '.join(words[1:])} failed: {said.read()[-2000:]}")
    return used.ru_maxrss * 1024


def _memory(case: Case, device: str) -> dict[str, Any]:
    """The largest memory that a streamed fit of a made-up table takes, and how large that is."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "train"
        folder.mkdir()
        for at in range(case.settings["files"]):
            made = _made_up(case.settings["rows"] // case.settings["files"], case.settings, at)
            parquet.write_table(made, folder / f"{at:02d}.parquet", row_group_size=65_536)
        start = time.perf_counter()
        peak = _slad_fit(Path(place), device, case.settings["epochs"], ["--detector", RECIPES[0]])
        seconds = time.perf_counter() - start
    cells = case.settings["rows"] * case.settings["columns"]
    return {"peak_bytes": peak, "table_bytes": 8 * cells, "seconds": round(seconds, 1)}


def _made_up(rows: int, settings: Any, seed: int) -> pa.Table:
    """Columns that mix eight hidden ones."""
    rng, columns = np.random.default_rng(seed), settings["columns"]
    mix = np.random.default_rng(10**6).normal(size=(8, columns))
    return _table(rng.normal(size=(rows, 8)) @ mix + 0.3 * rng.normal(size=(rows, columns)))


STUDY = CaseStudy(name="sharded", cases=cases, run=run)
