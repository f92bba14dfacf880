"""What the numbers say about a row."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from slad.core.errors import ArtifactError, DataError  # noqa: E402
from slad.core.state import State  # noqa: E402
from slad.tables import Encoder, plan_columns  # noqa: E402


def test_a_row_does_not_depend_on_the_others(mixed: pa.Table) -> None:
    encoder = Encoder.fit(mixed, plan_columns(mixed))
    whole = encoder.transform(mixed)
    order = np.random.default_rng(0).permutation(mixed.num_rows)
    assert np.array_equal(encoder.transform(mixed.take(order)), whole[order])
    for at in (0, 7, mixed.num_rows - 1):
        assert np.array_equal(encoder.transform(mixed.slice(at, 1)), whole[[at]])


def test_the_blocks_of_columns_cover_the_features_in_order(mixed: pa.Table) -> None:
    plan = plan_columns(mixed)
    encoder = Encoder.fit(mixed, plan)
    assert [each.name for each in encoder.columns] == [each.name for each in plan if each.used]
    edges = [each.start for each in encoder.columns] + [encoder.columns[-1].stop]
    assert edges[0] == 0
    assert all(low < high for low, high in pairwise(edges))
    assert encoder.transform(mixed).shape == (mixed.num_rows, edges[-1])


def test_one_column_block_hangs_on_its_column_alone(mixed: pa.Table) -> None:
    plan = plan_columns(mixed)
    encoder = Encoder.fit(mixed, plan)
    first = encoder.columns[0]
    alone = Encoder.fit(mixed, [each for each in plan if each.name == first.name])
    assert np.array_equal(
        alone.transform(mixed), encoder.transform(mixed)[:, first.start : first.stop]
    )


def test_a_table_without_a_usable_column_is_refused_with_the_reasons() -> None:
    frame = pa.table({"a": [1], "b": [None]})
    with pytest.raises(DataError, match=r"a: left out: always '1'; b: left out: no values"):
        Encoder.fit(frame, plan_columns(frame))


def test_the_state_of_another_version_is_refused(mixed: pa.Table) -> None:
    values, arrays = Encoder.fit(mixed, plan_columns(mixed)).state()
    with pytest.raises(ArtifactError, match="format 99"):
        Encoder.from_state(State(values | {"format": 99}, arrays))
    with pytest.raises(ArtifactError, match="incomplete"):
        Encoder.from_state(State(values, {}))


@pytest.fixture
def mixed() -> pa.Table:
    rng = np.random.default_rng(3)
    words = np.array(["late", "paper", "shop", "order", "Straße", "2025"])
    start = datetime(2024, 1, 1)
    return pa.table(
        {
            "amount": pa.array(rng.normal(size=90), mask=rng.random(90) < 0.1),
            "flag": rng.random(90) < 0.3,
            "colour": pa.array(rng.choice(["r", "g", "b"], 90), mask=rng.random(90) < 0.1),
            "comment": [" ".join(rng.choice(words, 6)) for _ in range(90)],
            "at": [start + timedelta(hours=int(at)) for at in rng.integers(0, 20_000, 90)],
        }
    )
