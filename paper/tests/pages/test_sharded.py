"""The page on streamed and shared fits, from made-up records."""

from __future__ import annotations

from dataclasses import replace

import pytest

from made_up_cases import case
from slad_paper.pages.document import as_markdown
from slad_paper.pages.pictures import style
from slad_paper.pages.sharded import report


def agreement(name: str, off: float):
    ways = {"memory": 0.0, "stream": 0.001, "2 processes": off, "4 processes": -0.001}
    runs = {
        way: [
            {"seed": s, "auc_roc": 0.9 + s / 100 + d, "auc_pr": 0.5, "seconds": 3.0} for s in (0, 1)
        ]
        for way, d in ways.items()
    }
    settings = {"dataset": name, "detector": "slad-subspaces", "epochs": 10, "seeds": [0, 1]}
    return case("sharded", f"{name}-slad", settings, {"rows": 9, "columns": 2, "ways": runs})


def memory(rows: int, peak: float):
    result = {"peak_bytes": int(peak * 2**30), "table_bytes": 256 * rows, "seconds": 10.0}
    return case("sharded", f"memory-{rows}", {"rows": rows, "columns": 32}, result)


@pytest.mark.parametrize(("off", "verdict"), [(0.0019, "holds"), (0.003, "holds partly")])
def test_the_verdict_goes_by_the_mean_difference_of_every_way(off, verdict):
    made = report([agreement("wine", off), agreement("bank", 0.0)])
    assert made.brief[0].rows[0][1].text == verdict
    assert (
        f"{max(off, 0.001):+.4f} (wine, slad-subspaces, 2 processes)"
        in made.brief[0].rows[0][2].text
    )


@pytest.mark.parametrize(("spread", "verdict"), [(0.0001, "yes"), (0.02, "no")])
def test_a_difference_is_held_against_what_the_order_of_rows_makes(spread, verdict):
    runs = [{"seed": s, "auc_roc": 0.9 + at * spread} for s in (0, 1) for at in range(5)]
    settings = {
        "dataset": "wine",
        "detector": "slad-subspaces",
        "epochs": 10,
        "seeds": [0, 1],
        "orders": 5,
    }
    orders = case("sharded", "wine-slad-orders", settings, {"orders": runs})
    made = report([agreement("wine", 0.01), orders])
    assert made.brief[0].rows[1][1].text == verdict


def test_records_of_more_seeds_count_together():
    more = agreement("wine", 0.0)
    made = report([agreement("wine", 0.004), replace(more, case="wine-slad-more")])
    assert made.brief[2].rows[0][2].text == "4"
    assert "+0.0020" in made.brief[2].rows[0][5].text


@pytest.mark.parametrize(("peak", "verdict"), [(1.05, "holds"), (2.0, "does not hold")])
def test_memory_that_grows_with_the_rows_is_said(peak, verdict):
    made = report([agreement("wine", 0.0), memory(5_000_000, peak), memory(1_000_000, 1.0)])
    assert made.brief[0].rows[1][1].text == verdict
    assert f"1.00 GB for 1,000,000 rows; {peak:.2f} GB for 5,000,000 rows" in as_markdown(made)


def test_the_picture_has_a_line_for_every_dataset():
    made = report([agreement("wine", 0.001), agreement("bank", 0.0)])
    with style():
        (axis,) = made.pictures()[0].draw().axes
    assert [label.get_text() for label in axis.get_yticklabels()] == [
        "bank, slad-subspaces",
        "wine, slad-subspaces",
    ]
