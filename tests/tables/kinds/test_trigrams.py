"""Runs of three bytes in texts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from slad.tables.kinds.trigrams import BUCKETS, string_bytes, trigrams


def runs(*texts: str) -> np.ndarray:
    return trigrams(*string_bytes(pa.array(texts, pa.string()))).toarray()


@pytest.mark.parametrize("type_", [pa.string(), pa.large_string()])
def test_the_bytes_of_a_slice_are_its_own(type_: pa.DataType) -> None:
    flat, offsets = string_bytes(pa.array(["skipped", "ab", "", "é", "left out"], type_)[1:4])
    assert flat.tobytes() == "abé".encode()
    assert offsets.tolist() == [0, 2, 2, 4]


def test_no_texts_have_no_bytes() -> None:
    flat, offsets = string_bytes(pa.array([], pa.string()))
    assert (len(flat), offsets.tolist()) == (0, [0])
    assert trigrams(flat, offsets).shape == (0, BUCKETS)


def test_the_shares_of_a_text_add_up_to_one_and_an_empty_text_has_none() -> None:
    assert runs("a", "", "abcabcabc", "é" * 100).sum(axis=1).tolist() == pytest.approx([1, 0, 1, 1])


def test_a_text_of_n_bytes_has_n_runs() -> None:
    flat, offsets = string_bytes(pa.array(["abcd", "", "xy"]))
    assert np.diff(trigrams(flat, offsets).indptr).tolist() == [4, 0, 2]


def test_case_and_the_value_of_digits_do_not_count_and_letters_do() -> None:
    first, same, other = runs("Ab 12", "aB 90", "ab x2")
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_the_runs_of_a_text_do_not_depend_on_its_neighbours() -> None:
    assert np.array_equal(runs("one", "two", "three")[1], runs("two")[0])


def test_start_and_end_are_part_of_a_run() -> None:
    first, second = runs("ab", "ba")
    assert not (first * second).any()
