"""Any table goes through, and any bytes give a table or an error of slad's own."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")

from slad.core.errors import SladError  # noqa: E402
from slad.core.state import State  # noqa: E402
from slad.tables import (  # noqa: E402
    ColumnPlan,
    Encoder,
    conform,
    plan_columns,
    read,
    types_of,
    write,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SECONDS = st.integers(-(10**10), 10**10)
CELLS: list[tuple[Any, Any]] = [
    (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    (pa.uint8(), st.integers(0, 255)),
    (pa.float64(), st.floats()),
    (pa.float32(), st.floats(width=32)),
    (pa.bool_(), st.booleans()),
    (pa.string(), TEXTS),
    (pa.large_string(), st.sampled_from(["a", "b", "a long one", ""])),
    (pa.timestamp("s"), SECONDS),
    (pa.timestamp("us", "Europe/Berlin"), SECONDS.map(lambda each: each * 10**6)),
    (pa.timestamp("ns"), SECONDS.map(lambda each: each * 10**8)),
    (pa.date32(), st.integers(-100_000, 100_000)),
    (pa.duration("ms"), st.integers(-(2**40), 2**40)),
    (pa.time32("s"), st.integers(0, 86_399)),
    (pa.time64("ns"), st.integers(0, 86_399 * 10**9)),
    (pa.decimal128(12, 3), st.decimals(-(10**8), 10**8, places=3)),
    (pa.dictionary(pa.int8(), pa.string()), st.sampled_from(["x", "y", "z"])),
    (pa.binary(), st.binary(max_size=4)),
    (pa.list_(pa.int64()), st.lists(st.integers(0, 9), max_size=2)),
    (pa.null(), st.none()),
]


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    rows = draw(st.integers(1, 30))
    columns = []
    for type_, cells in draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=5)):
        some = st.none() | cells if draw(st.booleans()) else cells
        columns.append(pa.array(draw(st.lists(some, min_size=rows, max_size=rows)), type_))
    return pa.table(columns, names=[draw(TEXTS) for _ in columns])


def _through_json(state: State) -> State:
    return State(json.loads(json.dumps(state.values, allow_nan=False)), state.arrays)


@settings(max_examples=60)
@given(tables())
def test_every_table_becomes_finite_numbers_that_a_saved_encoder_repeats(table: pa.Table) -> None:
    frame = read(table).frame
    plan = tuple(ColumnPlan.from_state(_through_json(each.state())) for each in plan_columns(frame))
    assert plan == plan_columns(frame)
    if not any(each.used for each in plan):
        return
    encoder = Encoder.fit(frame, plan)
    later, notes = conform(frame, plan)
    assert not notes
    rows = encoder.transform(later)
    assert np.isfinite(rows).all()
    again = Encoder.from_state(_through_json(encoder.state()))
    assert again.columns == encoder.columns
    for at in range(frame.num_rows):
        assert np.array_equal(again.transform(later.slice(at, 1)), rows[[at]])
    # A model is fitted on some rows of the planned table, down to one.
    part = Encoder.fit(frame.slice(0, 1), plan)
    assert np.isfinite(part.transform(later)).all()


@settings(max_examples=60)
@given(tables(), st.sampled_from(["csv", "parquet", "feather", "jsonl"]))
def test_every_table_can_be_written_and_the_file_scored(
    tmp_path: Path, table: pa.Table, ending: str
) -> None:
    frame = read(table).frame
    path = tmp_path / f"t.{ending}"
    write(frame, path)
    plan = plan_columns(frame)
    try:
        later = read(path, types=types_of(plan)).frame
        conform(later, plan)
    except SladError:
        return
    assert later.num_rows <= frame.num_rows  # a line of a single missing cell is a blank one


@settings(max_examples=150)
@given(st.sampled_from(["t.csv", "t.parquet", "t.jsonl", "t.feather", "t.csv.gz"]), st.binary())
@example("t.csv", b'"')
@example("t.csv", b"a\n\xef\xbb\xbf")
@example("t.jsonl", b'{"a": 1e999}')
@example("t.jsonl", b'{"a": ' + b"[" * 5000)
def test_any_bytes_give_a_table_or_an_error_of_slad(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    said = ""
    try:
        read(path)
    except SladError as error:
        said = str(error)
    assert not said or str(path) in said


@settings(max_examples=100)
@given(st.text(st.sampled_from('ab1,;.|\t"\n\r -é0/'), max_size=60))
def test_any_text_as_csv_gives_a_table_or_an_error_of_slad(tmp_path: Path, content: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content, newline="")
    try:
        frame = read(path).frame
    except SladError:
        return
    assert frame.num_rows >= 1
    plan_columns(frame)


@settings(max_examples=80)
@given(st.data())
def test_a_damaged_file_gives_a_table_or_an_error_of_slad(
    tmp_path: Path, data: st.DataObject
) -> None:
    path = tmp_path / f"t.{data.draw(st.sampled_from(['parquet', 'feather', 'csv.zst']))}"
    write(pa.table({"a": range(50), "b": ["x", "y"] * 25}), path)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content)
    with suppress(SladError):
        plan_columns(read(path).frame)
