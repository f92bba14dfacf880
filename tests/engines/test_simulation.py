"""A simulated cluster: where the answer is known, it is that answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from slad.engines.simulation import Assumptions, Load, simulate

EVEN = Assumptions(
    store_gb_per_s=1.0,
    reader_mb_per_s=100.0,
    first_byte_seconds=0.0,
    task_seconds=0.0,
    start_seconds=0.0,
    spread=0.0,
    straggler_share=0.0,
)
"""A cluster on which every task takes exactly as long as planned."""


def test_even_tasks_take_what_a_pencil_says():
    load = Load(tasks=8, workers=4, bytes_a_task=50e6, convert_seconds=1.0, score_seconds=2.0)
    found = simulate(load, EVEN)  # two rounds of 0.5 s of reading and 3 s of work
    assert found.seconds == pytest.approx(7.0)
    assert (found.store, found.convert, found.score) == pytest.approx((1 / 7, 2 / 7, 4 / 7))
    assert found.idle == pytest.approx(0, abs=1e-9)


def test_readers_share_the_store_when_they_are_many():
    load = Load(tasks=20, workers=20, bytes_a_task=100e6, convert_seconds=0.0, score_seconds=1.0)
    assert simulate(load, EVEN).seconds == pytest.approx(2.0 + 1.0)  # 2 GB at 1 GB/s, then work


def test_shares_add_up_and_the_same_seed_gives_the_same_job():
    load = Load(tasks=300, workers=40, bytes_a_task=2e8, convert_seconds=2.0, score_seconds=9.0)
    first, again, other = (simulate(load, Assumptions(), seed) for seed in (0, 0, 1))
    shares = [first.store, first.convert, first.score, first.engine, first.idle]
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
    assert first == again
    assert first != other


def test_one_straggler_holds_up_a_job_of_few_tasks_more_than_one_of_many():
    bad = Assumptions(spread=0.0, straggler_share=0.05, straggler_factor=5.0, start_seconds=0.0)
    coarse = Load(tasks=100, workers=50, bytes_a_task=0.0, convert_seconds=0.0, score_seconds=20.0)
    fine = Load(tasks=2000, workers=50, bytes_a_task=0.0, convert_seconds=0.0, score_seconds=1.0)
    assert simulate(coarse, bad).seconds > 1.5 * simulate(fine, bad).seconds


def test_more_workers_than_tasks_stay_idle():
    load = Load(tasks=2, workers=8, bytes_a_task=0.0, convert_seconds=0.0, score_seconds=3.0)
    found = simulate(load, EVEN)
    assert found.seconds == pytest.approx(3.0)
    assert found.idle == pytest.approx(6 / 8)


def test_starting_costs_seconds_once_per_job_and_once_per_task():
    slow = replace(EVEN, start_seconds=20.0, task_seconds=0.5, first_byte_seconds=0.25)
    load = Load(tasks=6, workers=2, bytes_a_task=0.0, convert_seconds=0.0, score_seconds=1.0)
    found = simulate(load, slow)
    assert found.seconds == pytest.approx(20 + 3 * 1.75)
    assert found.engine == pytest.approx(6 * 0.5 / (2 * found.seconds))
    assert found.store == pytest.approx(6 * 0.25 / (2 * found.seconds))
