from __future__ import annotations

import numpy as np
import pytest

from made_up_records import record, write
from slad_paper.pages.records import read
from slad_paper.pages.results import best_cells, different_data, failures, gather, uneven
from slad_paper.runner import printed

MVTEC = printed.row_of("mvtec-bottle").datasets


def test_a_cell_is_mean_and_numpy_s_deviation_over_the_runs(tmp_path):
    values = [0.9, 0.8, 0.82]
    runs = [record(auc_roc=v, auc_pr=v / 2, model=m) for m, v in enumerate(values)]
    result = gather(read(write(tmp_path, *runs)), ["thyroid"])["slad"]
    assert result.mean("auc_roc") == pytest.approx(np.mean(values))
    assert result.std("auc_roc") == pytest.approx(np.std(values))
    assert result.mean("auc_pr") == pytest.approx(np.mean(values) / 2)
    assert result.shown("auc_roc") == "0.840 ± 0.043"


def test_a_single_run_has_no_deviation(tmp_path):
    result = gather(read(write(tmp_path, record(model=None))), ["thyroid"])["slad"]
    assert result.std("auc_roc") is None
    assert result.shown("auc_roc") == "0.900"


def test_a_row_of_many_sets_is_averaged_seed_by_seed(tmp_path):
    rng = np.random.default_rng(0)
    table = rng.uniform(size=(5, len(MVTEC)))
    runs = [
        record(dataset=name, auc_roc=table[seed, at], model=seed)
        for seed in range(5)
        for at, name in enumerate(MVTEC)
    ]
    result = gather(read(write(tmp_path, *runs)), MVTEC)["slad"]
    assert result.mean("auc_roc") == pytest.approx(table.mean(axis=1).mean())
    assert result.std("auc_roc") == pytest.approx(table.mean(axis=1).std())


def test_a_seed_that_lacks_a_set_of_its_row_is_left_out_and_named(tmp_path):
    runs = [
        record(dataset=name, auc_roc=0.1 * seed, model=seed)
        for seed in (1, 2)
        for name in MVTEC
        if (seed, name) != (2, "mvtec-pill")
    ]
    results = gather(read(write(tmp_path, *runs)), MVTEC)
    assert results["slad"].runs == ((42, 1),)
    assert results["slad"].mean("auc_roc") == pytest.approx(0.1)
    assert uneven({"MVTec": results}) == ["slad lacks runs of mvtec-pill on MVTec"]


def test_a_row_whose_every_seed_is_incomplete_has_no_number(tmp_path):
    result = gather(read(write(tmp_path, record(dataset="mvtec-pill"))), MVTEC)["slad"]
    assert not result.ok
    assert result.why() == "incomplete: 14 without runs"


def test_a_failed_run_takes_its_cell_and_counts_as_no_number(tmp_path):
    reason = "TrainingError: loss is nan,\n see the log"
    runs = [record(model=1), record(model=2, reason=reason), record("lof", model=None)]
    records = read(write(tmp_path, *runs))
    results = gather(records, ["thyroid"])
    assert not results["slad"].ok
    assert results["slad"].why() == "failed: TrainingError"
    assert results["lof"].ok
    slad, lof = best_cells(results, ["slad", "lof"], "auc_roc")
    assert (slad.text, slad.best) == ("failed: TrainingError", False)
    assert lof.best
    line = "failed: slad on thyroid, 1 of 2 runs: TrainingError: loss is nan, see the log"
    assert failures(records) == [line]


def test_a_run_that_could_not_fit_is_out_of_memory_and_no_failure(tmp_path):
    reasons = [f"ResourceError: ICL needs 80 GB, and {free} GB are free" for free in (7, 8)]
    runs = [
        record("icl", model=model, reason=reason, status="refused")
        for model, reason in enumerate(reasons)
    ]
    records = read(write(tmp_path, *runs))
    assert gather(records, ["thyroid"])["icl"].why() == "OOM"
    assert failures(records) == [
        "OOM (refused before it began): icl on thyroid, 2 of 2 runs: ICL needs 80 GB, and 7 GB are "
        "free"
    ]


def test_a_failure_beside_refusals_is_the_one_that_is_told(tmp_path):
    runs = [
        record(model=1, reason="ResourceError: too large", status="refused"),
        record(model=2, reason="Oops: nan"),
    ]
    assert gather(read(write(tmp_path, *runs)), ["thyroid"])["slad"].why() == "failed: Oops"


def test_a_run_that_is_not_there_is_told_from_a_failed_one(tmp_path):
    records = read(write(tmp_path, record(), record("lof", "bank", model=None)))
    results = gather(records, ["thyroid"])
    assert results["lof"].why() == "no run"
    assert failures(records) == []


def test_detectors_with_fewer_runs_are_named_and_deterministic_ones_are_judged_by_splits(tmp_path):
    runs = [record("slad", split=split, model=model) for split in (0, 1) for model in (0, 1)]
    runs += [record("iforest", split=split, model=0) for split in (0, 1)]
    runs += [record("knn-1", split=split, model=None) for split in (0, 1)]
    runs += [record("lof", split=0, model=None)]
    table = {"Thyroid": gather(read(write(tmp_path, *runs)), ["thyroid"])}
    assert uneven(table) == ["iforest has 2 of 4 runs on Thyroid", "lof has 1 of 2 runs on Thyroid"]


def test_runs_on_different_data_are_found(tmp_path):
    runs = [
        record("slad", "bank"),
        record("lof", "bank", sha256="another"),
        record("slad", "thyroid"),
        record("lof", "thyroid", max_rows=10_000),
        record("slad", "waveform"),
        record("lof", "waveform"),
        record("slad", "amazon"),
        record("lof", "amazon", reason="MemoryError", sha256=None),
    ]
    found = different_data(read(write(tmp_path, *runs)))
    assert set(found) == {"bank", "thyroid"}
    assert "different files" in found["bank"]
    assert "all, at most 10,000" in found["thyroid"]


def test_means_that_print_the_same_are_best_together(tmp_path):
    runs = [record("a", auc_roc=0.9001), record("b", auc_roc=0.8999), record("c", auc_roc=0.899)]
    results = gather(read(write(tmp_path, *runs)), ["thyroid"])
    assert [cell.best for cell in best_cells(results, [*"abc"], "auc_roc")] == [True, True, False]
