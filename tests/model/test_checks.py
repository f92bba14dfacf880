"""Checks that a model makes of itself."""

from __future__ import annotations

from made_up_orders import orders

from slad import TableDetector
from slad.model.checks import self_checks
from slad.tables import read


def test_a_false_discovery_rate_that_could_flag_no_single_row_says_so(tmp_path) -> None:
    table = read(orders(150))
    model = TableDetector("knn-5", rule="fdr", level=0.1, clean=True).fit(table)
    checks = self_checks(model, model.judge(orders(150, seed=1)))
    assert [check.text for check in checks if "single" in check.name] == [
        "of 150 rows at least 10 must score above all 150 calibration rows before any is flagged; "
        "fit on more rows, score fewer at a time, or use --fpr"
    ]
