"""A table is conformed once, whatever is done with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from made_up_orders import FAST, orders

from slad import TableDetector
from slad.core.errors import DataError
from slad.model import conformed_table


@pytest.fixture
def conforms(monkeypatch) -> Counter[str]:
    """How often a table is read and conformed."""
    calls: Counter[str] = Counter()
    for name in ("conform", "read"):
        whole = getattr(conformed_table, name)

        def counted(*given, whole=whole, name=name, **named):
            calls[name] += 1
            return whole(*given, **named)

        monkeypatch.setattr(conformed_table, name, counted)
    return calls


def test_a_conformed_table_is_judged_and_explained_as_it_is(model, conforms) -> None:
    fresh = orders(30, seed=12)
    table = model.conform(fresh)
    judgement, reasons = model.judge(table), model.explain(table, [3, 5])
    assert conforms == {"conform": 1, "read": 1}
    np.testing.assert_array_equal(judgement.scores, model.judge(fresh).scores)
    assert reasons == model.explain(fresh, [3, 5])


def test_it_unpacks_as_frame_and_notes_and_cannot_be_changed(model) -> None:
    table = model.conform(orders(5).append_column("more", [[1, 2, 3, 4, 5]]))
    frame, notes = table
    assert frame.column_names == [column.name for column in model.plan_]
    assert notes == ["ignored, because the model does not know them: more"]
    with pytest.raises(FrozenInstanceError):
        table.frame = orders(3)


def test_a_table_conformed_to_another_model_is_refused(model) -> None:
    other = TableDetector(FAST, level=0.05, drop=["gift"]).fit(orders(100))
    with pytest.raises(DataError, match="conformed to another model"):
        model.judge(other.conform(orders(5)))
