"""The paper's tables: what must hold of them if every number was carried over."""

from __future__ import annotations

import subprocess
import sys

import pytest

from slad_paper.runner import printed
from slad_paper.runner.printed import METRICS

METHODS = ("SLAD", "ICL", "NeuTraL", "GOAD", "RCA", "GAAL", "DSVDD", "iForest")


def winners(row: printed.Row, metric: str) -> set[str]:
    numbers = {method: number.mean for method, number in row.numbers[metric].items() if number}
    return {method for method, mean in numbers.items() if mean == max(numbers.values())}


def test_the_main_table_has_ten_rows_of_eight_methods_under_both_metrics():
    assert printed.methods() == METHODS
    assert len(printed.rows()) == 10
    for row in printed.rows():
        for metric in METRICS:
            assert tuple(row.numbers[metric]) == METHODS


def test_printed_numbers_are_shares_with_small_deviations_and_three_digits():
    for row in printed.rows():
        for metric in METRICS:
            for number in filter(None, row.numbers[metric].values()):
                assert 0 < number.mean < 1
                assert 0 <= number.std < 0.25
                assert round(number.mean, 3) == number.mean
                assert round(number.std, 3) == number.std


def test_two_methods_run_out_of_memory_on_thrombin_and_nowhere_else():
    gaps = {
        (row.title, metric, method)
        for row in printed.rows()
        for metric in METRICS
        for method, number in row.numbers[metric].items()
        if number is None
    }
    assert gaps == {("Thrombin", m, method) for m in METRICS for method in ("ICL", "GAAL")}


def test_slad_is_bold_in_nine_and_eight_of_ten_rows():
    bold = {m: [row.title for row in printed.rows() if "SLAD" in row.bold[m]] for m in METRICS}
    assert len(bold["auc_roc"]) == 9
    assert len(bold["auc_pr"]) == 8


def test_bold_is_the_highest_number_but_for_the_two_slips_of_the_paper():
    slips = {
        (row.title, metric): winners(row, metric)
        for row in printed.rows()
        for metric in METRICS
        if set(row.bold[metric]) != winners(row, metric)
    }
    assert slips == {("Arrhythmia", "auc_pr"): {"DSVDD"}, ("Thrombin", "auc_pr"): {"GOAD"}}


def test_every_dataset_of_ours_belongs_to_one_row():
    names = [name for row in printed.rows() for name in row.datasets]
    assert len(names) == len(set(names)) == 9 + 15
    mvtec = printed.row_of("mvtec-zipper")
    assert mvtec is not None
    assert len(mvtec.datasets) == 15
    assert not mvtec.scaled
    assert [row.title for row in printed.rows() if not row.scaled] == [mvtec.title]
    assert printed.row_of("38_thyroid") is None


def test_the_rebuilt_dataset_says_so():
    row = printed.row_of("unsw-nb15-dos")
    assert row is not None
    assert row.name == "UNSW-NB15 (rebuilt)"


def test_the_adbench_percentages_are_the_counts_of_its_47_datasets():
    assert printed.adbench_datasets() == 47
    assert set(printed.adbench()) == set(METHODS)
    for standings in printed.adbench().values():
        for standing in standings.values():
            assert standing.top2_percent == pytest.approx(100 * standing.top2 / 47, abs=0.05 + 1e-9)
            assert standing.top4_percent == pytest.approx(100 * standing.top4 / 47, abs=0.05 + 1e-9)
            assert standing.top2 < standing.top4
            assert 1 <= standing.rank <= 8


def test_slad_leads_the_adbench_table_in_everything():
    table = printed.adbench()
    for metric in METRICS:
        assert min(table, key=lambda method: table[method][metric].rank) == "SLAD"
        assert max(table, key=lambda method: table[method][metric].top2) == "SLAD"
        assert max(table, key=lambda method: table[method][metric].top4) == "SLAD"


def test_what_is_compared_is_printed():
    assert set(printed.compared().values()) <= set(METHODS)
    assert {printed.compared_with(f"slad{end}") for end in ("", "-paper", "-released")} == {"SLAD"}
    assert printed.compared_with("slad[epochs=20]") == "SLAD"
    assert printed.compared_with("iforest") == "iForest"
    assert {printed.compared_with(f"{one}-gaal") for one in ("so", "mo")} == {"GAAL"}
    assert printed.compared_with("knn-1") is None


def test_every_method_has_a_stand_in_and_the_paper_s_group_holds_them_all():
    assert tuple(printed.stand_ins()) == METHODS
    assert printed.stand_ins()["SLAD"] == "slad-released"
    group = printed.group("paper")
    assert group is not None
    assert {printed.compared_with(name) for name in group} == set(METHODS)
    assert set(printed.stand_ins().values()) <= set(group)
    assert printed.group("knn-1") is None


def test_the_order_is_the_paper_s_and_then_the_alphabet_s():
    names = ["knn-1", "dsvdd", "ae", "slad", "icl", "slad[epochs=2]", "slad-released"]
    assert printed.ordered(names) == [
        *("slad-released", "slad", "slad[epochs=2]", "icl", "dsvdd", "ae", "knn-1"),
    ]


def test_reading_the_tables_imports_nothing_heavy():
    program = (
        "import sys\nfrom slad_paper.runner import printed\nprinted.rows()\n"
        "assert not {'numpy', 'torch', 'scipy', 'sklearn'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
