"""The comparison of encodings: what is planted, and what the ways make of it."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import DataError  # noqa: E402
from slad.tables import plan_columns  # noqa: E402
from slad_paper.studies.encodings.plants import PLANTS, plant  # noqa: E402
from slad_paper.studies.encodings.sources import Source, load  # noqa: E402
from slad_paper.studies.encodings.study import DETECTORS, table  # noqa: E402
from slad_paper.studies.encodings.ways import WAYS  # noqa: E402


@pytest.fixture
def frame() -> pa.Table:
    rng = np.random.default_rng(0)
    return pa.table(
        {
            "amount": rng.normal(size=200),
            "colour": rng.choice(["r", "g", "b"], 200),
            "comment": [f"order {at} came late from {at % 7} shops" for at in range(200)],
            "day": [date(2025, 1, 1) + timedelta(days=at) for at in range(200)],
        }
    )


def test_only_the_chosen_rows_are_changed_and_every_plant_has_its_share(frame: pa.Table) -> None:
    rows = np.arange(0, 120, 2)
    changed, kinds = plant(frame, plan_columns(frame), rows, np.random.default_rng(1))
    assert np.bincount(kinds).tolist() == [10] * len(PLANTS)
    before, after = frame.to_pylist(), changed.to_pylist()
    different = {at for at in range(200) if before[at] != after[at]}
    assert different <= set(rows.tolist())
    certain = [name not in ("category of another row", "number of another row") for name in PLANTS]
    assert {int(row) for row, kind in zip(rows, kinds, strict=True) if certain[kind]} <= different


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_finite_numbers(frame: pa.Table, way: str) -> None:
    if way == "skrub":
        pytest.importorskip("skrub")
    train, test = WAYS[way](frame.slice(0, 100), frame.slice(100), plan_columns(frame), 0)
    assert train.shape[1] == test.shape[1] > 3
    assert np.isfinite(train).all()
    assert np.isfinite(test).all()


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(DataError, match="no_such_package is not installed"):
        load(Source("no_such_package", "t.csv"))


def test_the_table_is_made_of_the_records(tmp_path: Path) -> None:
    runs = [
        {"way": way, "detector": detector, "seed": 0, "features": 9}
        | {"auc_roc": 0.75, "auc_pr": 0.5, "by_plant": dict.fromkeys(PLANTS, 0.25)}
        for way in WAYS
        for detector in DETECTORS
    ]
    path = tmp_path / "fair-cut.json"
    path.write_text(json.dumps({"table": "fair cut", "runs": runs}))
    lines = list(table(tmp_path))
    assert lines[2].startswith("| fair cut | 0.750 |")
    assert any(line.startswith("| long ago | 0.250 |") for line in lines)


def test_the_page_shows_the_table_of_the_committed_records() -> None:
    paper = Path(__file__).parents[2]
    page, records = paper.parent / "docs" / "tables.md", paper / "results" / "encodings"
    if not page.exists() or not records.exists():
        pytest.skip("not a checkout of the repository")
    assert "\n".join(table(records)) in page.read_text()
