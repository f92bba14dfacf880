"""Compressed bytes: known by their beginning, packed and unpacked."""

from __future__ import annotations

import pytest

from slad.core.errors import DataError
from slad.tables.formats.compression import PACK, UNPACK, compression_of_bytes, unpacked

DATA = b"a,b\n1,2\n" * 1000


@pytest.mark.parametrize("ending", sorted(PACK))
def test_packed_bytes_show_their_compression_and_come_back(ending: str) -> None:
    packed = PACK[ending](DATA)
    assert len(packed) < len(DATA)
    assert compression_of_bytes(packed) == ending
    assert unpacked(packed, ending, "here") == DATA
    assert unpacked(PACK[ending](b""), ending, "here") == b""


@pytest.mark.parametrize("ending", sorted(PACK))
def test_bytes_that_are_damaged_or_not_compressed_are_refused(ending: str) -> None:
    for wrong in (DATA, PACK[ending](DATA)[:-9]):
        with pytest.raises(DataError, match=f"here cannot be unpacked as {ending}"):
            unpacked(wrong, ending, "here")


def test_bytes_without_compression_are_left_alone() -> None:
    assert compression_of_bytes(DATA) is None
    assert compression_of_bytes(b"") is None
    assert unpacked(DATA, None, "here") is DATA


def test_all_that_can_be_packed_can_be_unpacked() -> None:
    assert set(PACK) == set(UNPACK)


def test_gzip_holds_no_time_so_that_equal_tables_are_equal_files() -> None:
    assert PACK[".gz"](DATA)[4:8] == bytes(4)
