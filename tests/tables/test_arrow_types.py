"""Types as families and as text, and cells as text."""

from __future__ import annotations

from datetime import timedelta

import pyarrow as pa
import pytest
from small_tables import column

from slad.core.errors import ArtifactError
from slad.tables.arrow_types import as_text, family, is_counted, type_from_text, type_text


@pytest.mark.parametrize(
    ("type_", "name"),
    [
        (pa.uint8(), "number"),
        (pa.float16(), "number"),
        (pa.decimal128(9, 2), "number"),
        (pa.duration("ms"), "number"),
        (pa.bool_(), "boolean"),
        (pa.string(), "text"),
        (pa.large_string(), "text"),
        (pa.timestamp("ns", "UTC"), "time"),
        (pa.date64(), "time"),
        (pa.time32("s"), "time"),
        (pa.null(), "null"),
        (pa.binary(), "other"),
        (pa.list_(pa.int64()), "other"),
        (pa.dictionary(pa.int8(), pa.string()), "other"),
    ],
)
def test_every_type_is_of_the_family_people_call_it(type_: pa.DataType, name: str) -> None:
    assert family(type_) == name


def test_values_are_counted_in_texts_and_whole_numbers_only() -> None:
    counted = [pa.string(), pa.large_string(), pa.int8(), pa.uint64()]
    measured = [pa.float32(), pa.decimal128(4, 0), pa.bool_(), pa.date32(), pa.duration("s")]
    assert all(is_counted(each) for each in counted)
    assert not any(is_counted(each) for each in measured)


def test_equal_cells_are_the_same_text() -> None:
    assert as_text(column([0.0, -0.0, None])).to_pylist() == ["0", "0", None]
    assert as_text(column([timedelta(seconds=2)], pa.duration("s"))).to_pylist() == ["2"]
    assert as_text(column([True, None])).to_pylist() == ["true", None]
    assert as_text(column([7], pa.int8())).to_pylist() == ["7"]
    texts = column(["a", None], pa.large_string())
    assert as_text(texts) is texts


@pytest.mark.parametrize(
    "type_",
    [
        pa.int16(),
        pa.float32(),
        pa.float64(),
        pa.string(),
        pa.date32(),
        pa.time64("ns"),
        pa.duration("us"),
        pa.timestamp("s"),
        pa.timestamp("ns", "+05:30"),
        pa.decimal128(12, -2),
        pa.decimal256(60, 3),
        pa.null(),
    ],
)
def test_a_plain_type_is_saved_as_its_name(type_: pa.DataType) -> None:
    assert type_text(type_) == str(type_)
    assert type_from_text(str(type_)) == type_


@pytest.mark.parametrize(
    "type_",
    [
        pa.list_(pa.field("item", pa.int64())),
        pa.struct([("a", pa.string()), ("b", pa.timestamp("us", "Asia/Tokyo"))]),
        pa.dictionary(pa.int8(), pa.string()),
    ],
)
def test_a_nested_type_is_saved_whole(type_: pa.DataType) -> None:
    text = type_text(type_)
    assert text.startswith("ipc:")
    assert type_from_text(text) == type_


@pytest.mark.parametrize(
    "text", ["", "nonsense", "ipc:xx", "ipc:AAAA", "decimal128(99, 2)", "timestamp[h, tz=UTC]"]
)
def test_a_text_that_names_no_type_is_quoted_in_the_error(text: str) -> None:
    with pytest.raises(ArtifactError, match="is not the type of a column") as caught:
        type_from_text(text)
    assert repr(text) in str(caught.value)
