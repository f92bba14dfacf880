"""Products of rows, and work by all cores."""

from __future__ import annotations

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from slad.detectors.signals.blocks import by_all_cores, cores, row_product

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("rows", [0, 1, 700])
def test_a_product_is_that_of_numpy(rows):
    left, right = RNG.normal(size=(rows, 7)), RNG.normal(size=(7, 5))
    np.testing.assert_allclose(row_product(left, right), left @ right, rtol=1e-6, atol=1e-6)


def test_a_rows_product_does_not_depend_on_the_other_rows():
    left = RNG.normal(size=(700, 33)).astype(np.float32)
    right = RNG.normal(size=(33, 65)).astype(np.float32)
    alone = [row_product(left[at : at + 11], right) for at in range(0, 700, 11)]
    np.testing.assert_array_equal(row_product(left, right), np.concatenate(alone))


@pytest.mark.parametrize("available", [1, 2, 5])
def test_work_comes_back_in_order_whatever_the_number_of_cores(monkeypatch, available):
    monkeypatch.setattr("slad.detectors.signals.blocks.cores", lambda: available)
    parts = list(by_all_cores(lambda part: (part.start, part.stop), 10, 4))
    assert parts == [(0, 4), (4, 8), (8, 10)]


@pytest.mark.parametrize(("count", "wanted"), [(0, []), (100, [100]), (1000, [512, 488])])
def test_every_core_gets_rows_and_few_rows_are_not_parted(monkeypatch, count, wanted):
    monkeypatch.setattr("slad.detectors.signals.blocks.cores", lambda: 2)
    assert list(by_all_cores(lambda part: part.stop - part.start, count, 2048)) == wanted


def test_linear_algebra_has_one_thread_within_and_its_own_number_after():
    def threads() -> set[int]:
        return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}

    before = threads()
    assert next(iter(by_all_cores(lambda part: threads(), 10, 4))) == {1}
    assert threads() == before


def test_an_error_in_a_part_comes_out():
    def work(part: slice) -> None:
        raise ValueError(f"rows from {part.start}")

    with pytest.raises(ValueError, match="rows from 0"):
        list(by_all_cores(work, 10, 4))


def test_fewer_cores_can_be_asked_for(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert cores() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "not a number")
    assert cores() >= 1
