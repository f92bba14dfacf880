"""Passes over a stream prepare what the table in memory gives."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from made_up_shards import mixed_table, numbers_table, odd_table, written

from slad.decisions import make_folds
from slad.decisions.folds import held_rows
from slad.detectors.parts.scaling import Scaler
from slad.detectors.parts.statistics import row_blocks
from slad.detectors.slad.estimator import SLAD
from slad.detectors.slad.labels import feature_weights
from slad.engines import passes
from slad.engines.passes import FirstPass, Shard
from slad.engines.preparation import ColumnChoices, PreparedTable, prepare_table
from slad.engines.ranks import Processes
from slad.engines.shards import ParquetTable
from slad.tables import Encoder, plan_columns, read

SEED = 3
DEFAULTS = ColumnChoices((), (), ())


def streamed(folder: Path, detector: SLAD, choices: ColumnChoices = DEFAULTS) -> PreparedTable:
    table = ParquetTable.open(sorted(folder.glob("*.parquet")))
    shard = Shard(table, table.groups, held_rows(table.n_rows, SEED))
    return prepare_table(shard, choices, detector.streamed(), Processes())


def expected(folder: Path, detector: SLAD, choices: ColumnChoices = DEFAULTS) -> SimpleNamespace:
    """All of it from the table in memory."""
    frame = read(folder).frame
    plan = plan_columns(frame, drop=choices.drop, keep=choices.keep, categories=choices.categories)
    (fold,) = make_folds(frame.num_rows, calibration="split", seed=SEED)
    train = frame.take(fold.train)
    encoder = Encoder.fit(train, plan)
    X = encoder.transform(train)
    scaler = Scaler.fit(detector.scaling, X)
    weights = feature_weights(
        (scaler.dense(block) for _, block in row_blocks(X)),
        X.shape[1],
        threshold=detector.weighting_threshold,
        rescale=detector.rescale_weights,
    )
    return SimpleNamespace(
        plan=plan, encoder=encoder, X=X, scaler=scaler, weights=weights, held=frame.take(fold.held)
    )


def assert_same(folder: Path, detector: SLAD, choices: ColumnChoices = DEFAULTS) -> None:
    memory = expected(folder, detector, choices)
    found = streamed(folder, detector, choices)
    assert found.plan == memory.plan
    assert found.held.equals(memory.held)
    train = held_out_of(folder)
    np.testing.assert_allclose(found.encoder.transform(train), memory.X, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.scaler.center, memory.scaler.center, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.scaler.scale, memory.scaler.scale, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found.weights, memory.weights, rtol=1e-12, atol=1e-12)


def held_out_of(folder: Path) -> pa.Table:
    frame = read(folder).frame
    (fold,) = make_folds(frame.num_rows, calibration="split", seed=SEED)
    return frame.take(fold.train)


@pytest.mark.parametrize("scaling", ["standard", "minmax", "signed_log", "robust", "none"])
def test_a_table_of_all_kinds_gives_the_plan_encoder_scaling_and_weights_of_memory(
    tmp_path, scaling
):
    folder = written(tmp_path, mixed_table(1500), files=3, group=200)
    assert_same(folder, SLAD(scaling=scaling, rescale_weights=True))


def test_categories_that_are_chosen_and_ids_that_are_kept_are_as_in_memory(tmp_path):
    folder = written(tmp_path, mixed_table(900), files=2, group=170)
    assert_same(folder, SLAD(), ColumnChoices(("note",), ("ticket",), ("floor", "open")))


def test_types_that_only_arrow_knows_are_taken_as_in_memory(tmp_path):
    assert_same(written(tmp_path, odd_table(400), files=3, group=50), SLAD())


def test_plain_numbers_take_one_pass_and_cells_drawn_in_and_cut_off_one_more_each(
    tmp_path, monkeypatch
):
    taken = []
    original = passes.moments_of_rows
    monkeypatch.setattr(
        "slad.engines.preparation.moments_of_rows",
        lambda *args, **named: taken.append(1) or original(*args, **named),
    )
    assert_same(written(tmp_path / "plain", numbers_table(800), files=2, group=90), SLAD())
    assert len(taken) == 0
    wild = numbers_table(800)
    column = wild["x"].to_numpy().copy()
    column[5] = 1e4
    wild = wild.set_column(0, "x", pa.array(column))
    assert_same(written(tmp_path / "wild", wild, files=2, group=90), SLAD())
    assert len(taken) == 2


def test_numbers_whose_squares_overflow_are_scaled_as_in_memory(tmp_path):
    table = numbers_table(300)
    huge = pa.array(table["x"].to_numpy() * 1e200)
    tiny = pa.array(table["y"].to_numpy() * 1e-200)
    table = table.set_column(0, "x", huge).set_column(1, "y", tiny)
    memory = expected(folder := written(tmp_path, table, files=1, group=50), SLAD())
    found = streamed(folder, SLAD())
    np.testing.assert_allclose(found.scaler.scale, memory.scaler.scale, rtol=1e-12)
    np.testing.assert_allclose(found.weights, memory.weights, rtol=1e-10)


def test_a_pass_takes_no_more_memory_for_four_times_the_rows(tmp_path, monkeypatch):
    """Counted in Arrow's own pool, at every batch."""
    monkeypatch.setattr("slad.tables.encoder.SAMPLE", 100)
    monkeypatch.setattr("slad.decisions.folds.MOST_HELD", 100)
    add, seen = FirstPass.add, []

    def watched(self, *rows) -> None:
        add(self, *rows)
        seen.append(pa.total_allocated_bytes() - before)

    monkeypatch.setattr(FirstPass, "add", watched)
    peaks = []
    for files in (3, 12):
        table = numbers_table(4000 * files)
        folder = written(tmp_path / str(files), table, files=files, group=1000)
        del table
        before = pa.total_allocated_bytes()
        streamed(folder, SLAD())
        peaks.append(max(seen))
        seen.clear()
    assert peaks[1] <= 1.25 * peaks[0] + 2**17


def test_more_rows_than_the_sample_still_place_categories_as_memory_does(tmp_path, monkeypatch):
    monkeypatch.setattr("slad.tables.encoder.SAMPLE", 150)
    table = mixed_table(700).select(["price", "floor", "shop", "open"])
    # Prices have far ones, which are drawn in by quartiles that come from the sample.
    table = table.set_column(0, "price", pc.ln(table["price"]))
    folder = written(tmp_path, table, files=3, group=64)
    memory = expected(folder, SLAD())
    found = streamed(folder, SLAD())
    (at,) = [column for column in memory.encoder.columns if column.name == "shop"]
    train = held_out_of(folder)
    np.testing.assert_allclose(
        found.encoder.transform(train)[:, at.start : at.stop],
        memory.X[:, at.start : at.stop],
        rtol=1e-12,
        atol=1e-12,
    )
