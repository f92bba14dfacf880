"""What each column is taken for."""

from __future__ import annotations

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import ArtifactError, ConfigError  # noqa: E402
from slad.core.state import State  # noqa: E402
from slad.tables import ColumnPlan, plan_columns  # noqa: E402

ROWS = 40
KINDS = {
    "price": ([at / 7 for at in range(ROWS)], "number"),
    "cost": ([Decimal(at) / 4 for at in range(ROWS)], "number"),
    "took": ([timedelta(seconds=at) for at in range(ROWS)], "number"),
    "age": ([at * at % 17 for at in range(ROWS)], "number"),
    "amount in cents": ([at * 37 % 1009 for at in range(ROWS)], "number"),
    "flag": ([at % 3 == 0 for at in range(ROWS)], "boolean"),
    "colour": (["red", "green", None, "blue"] * (ROWS // 4), "category"),
    "shop_id": ([at % 5 for at in range(ROWS)], "category"),
    "comment": ([f"order number {at} came late" for at in range(ROWS)], "text"),
    "half given": (["x", None] * (ROWS // 2), "category"),
    "day": ([date(2025, 1, 1 + at % 28) for at in range(ROWS)], "time"),
    "at": ([datetime(2025, 1, 1, at % 24) for at in range(ROWS)], "time"),
    "opens": ([time(at % 24) for at in range(ROWS)], "time"),
    "always": (["same"] * ROWS, "constant"),
    "nothing": ([None] * ROWS, "empty"),
    "not a number": ([float("nan")] * ROWS, "empty"),
    "token": ([f"{at:08x}-f00d" for at in range(ROWS)], "id"),
    "number": (list(range(1, ROWS + 1)), "id"),
    "order_id": ([at * 37 % 1009 for at in range(ROWS)], "id"),
    "parts": ([[at] for at in range(ROWS)], "dropped"),
    "bytes": ([b"x%d" % at for at in range(ROWS)], "dropped"),
}


@pytest.fixture(scope="module")
def frame() -> pa.Table:
    columns = {name: pa.array(values, from_pandas=True) for name, (values, _) in KINDS.items()}
    return pa.table(columns)


@pytest.mark.parametrize("name", KINDS)
def test_a_column_gets_its_kind_and_a_reason_where_it_is_left_out(
    frame: pa.Table, name: str
) -> None:
    (plan,) = plan_columns(frame.select([name]))
    assert plan.kind == KINDS[name][1]
    assert plan.used or plan.note.startswith("left out: ")


def test_wishes_are_followed(frame: pa.Table) -> None:
    plan = plan_columns(
        frame, drop=["price"], keep=["token", "number", "always"], categories=["age", "order_id"]
    )
    kinds = {each.name: each.kind for each in plan}
    assert kinds["price"] == "dropped"
    assert (kinds["token"], kinds["number"], kinds["always"]) == ("text", "number", "category")
    assert (kinds["age"], kinds["order_id"]) == ("category", "category")


@pytest.mark.parametrize(
    ("wishes", "part"),
    [
        ({"drop": ["prise"]}, "did you mean price"),
        ({"keep": ["nothing"]}, "no values"),
        ({"keep": ["parts"]}, "cannot be kept"),
        ({"drop": ["age"], "categories": ["age"]}, "choose one"),
        ({"drop": "age"}, "list of column names"),
    ],
)
def test_wishes_that_cannot_be_followed_are_said(
    frame: pa.Table, wishes: dict[str, list[str]], part: str
) -> None:
    with pytest.raises(ConfigError, match=part):
        plan_columns(frame, **wishes)


def test_a_plan_goes_through_json(frame: pa.Table) -> None:
    frame = frame.append_column(
        "zoned", pa.array([datetime(2025, 1, 1)] * ROWS, pa.timestamp("ms", "America/New_York"))
    )
    plan = plan_columns(frame)
    states = json.loads(json.dumps([column.state().values for column in plan]))
    assert tuple(ColumnPlan.from_state(State(values, {})) for values in states) == plan


def test_a_plan_that_was_tampered_with_is_refused(frame: pa.Table) -> None:
    (plan,) = plan_columns(frame.select(["age"]))
    for wrong in ({"kind": "magic"}, {"type": "nonsense"}, {"type": "ipc:xx"}, {"more": 1}):
        with pytest.raises(ArtifactError):
            ColumnPlan.from_state(State(plan.state().values | wrong, {}))
