"""The promised rate holds through the whole way: encoders, too, see no row that is held out."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from made_up_orders import orders
from scipy.stats import betabinom

from slad import TableDetector


def with_customers(n_rows: int, seed: int) -> pa.Table:
    """Orders with a column of names, of which most rows of another table bring new ones."""
    rng = np.random.default_rng(seed + 1000)
    letters = rng.integers(97, 123, (n_rows, 3)).astype(np.uint8)
    names = ["".join(map(chr, row)) + " & sons" for row in letters]
    return orders(n_rows, seed).append_column("customer", pa.array(names))


@pytest.mark.parametrize("calibration", ["cross", "split"])
@pytest.mark.parametrize("detector", ["knn-5", "iforest", "ecod"])
def test_fresh_rows_are_flagged_at_the_rate_that_was_promised(
    detector: str, calibration: str
) -> None:
    fresh = 3000
    model = TableDetector(detector, level=0.05, calibration=calibration, clean=True)
    flagged = int(model.fit(with_customers(1500, 0)).judge(with_customers(fresh, 1)).flags.sum())
    count = len(model.calibration_)
    flags = np.floor(0.05 * (count + 1))
    low, high = betabinom.interval(0.999, fresh, flags, count + 1 - flags)
    assert low <= flagged <= high


def test_an_encoder_that_saw_the_held_out_rows_would_break_the_promise() -> None:
    """What the folds are for: levels seen once look usual to whoever has counted them."""
    from slad.decisions import make_folds
    from slad.tables import Encoder, plan_columns

    table = with_customers(1500, 0).select(["customer", "item"])
    plan = plan_columns(table)
    fold = make_folds(1500, calibration="split")[0]
    fair, peeking = Encoder.fit(table.take(fold.train), plan), Encoder.fit(table, plan)
    held, fresh = table.take(fold.held), with_customers(1500, 1).select(["customer", "item"])

    def gap(encoder: Encoder) -> float:
        return abs(encoder.transform(held)[:, 0].mean() - encoder.transform(fresh)[:, 0].mean())

    assert gap(fair) < gap(peeking)
