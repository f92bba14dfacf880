from __future__ import annotations

import json

import numpy as np
import pytest

from made_up_records import record, write
from slad.core.errors import DataError
from slad_paper.pages.records import datasets, detectors, ordered, read
from slad_paper.pages.results import different_data, failures, gather, is_best, uneven
from slad_paper.runner import printed

MVTEC = printed.row_of("mvtec-bottle").datasets


def test_records_come_in_the_same_order_whatever_their_files_are_called(tmp_path):
    runs = [
        record("knn-1", "10_cover", model=None),
        record("knn-1", "2_annthyroid", model=None),
        record("knn-1", "10_cover", split=3, model=None),
        record("iforest", "10_cover", model=10),
        record("iforest", "10_cover", model=9),
    ]
    first = read(write(tmp_path / "a", *runs))
    second = read(write(tmp_path / "b", *runs[::-1]))
    keys = [(each.detector, each.dataset, each.seeds) for each in first]
    assert keys == [(each.detector, each.dataset, each.seeds) for each in second]
    assert keys == [
        ("iforest", "10_cover", (42, 9)),
        ("iforest", "10_cover", (42, 10)),
        ("knn-1", "2_annthyroid", (42, None)),
        ("knn-1", "10_cover", (3, None)),
        ("knn-1", "10_cover", (42, None)),
    ]
    assert detectors(first) == ["iforest", "knn-1"]
    assert datasets(first) == ["2_annthyroid", "10_cover"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "cannot be read as JSON"),
        ("[]", "no record of format 1"),
        (json.dumps({"recipe": "released"}), "no record of format 1"),
        (json.dumps(record() | {"format": 2}), "no record of format 1"),
        (json.dumps(record() | {"status": "fine"}), "status='fine'"),
        (json.dumps(record(auc_roc=None)), "auc_roc=None"),
        (json.dumps(record(auc_pr=1.5)), r"auc_pr=1\.5 is not between"),
        (json.dumps(record() | {"metrics": {"auc_roc": float("nan"), "auc_pr": 1}}), "auc_roc=nan"),
        (json.dumps(record() | {"metrics": None}), "metrics=None"),
        (json.dumps(record() | {"status": "failed"}), "reason=None"),
        (json.dumps(record(split=True)), "split_seed=True"),
        (json.dumps(record(model="x")), "model_seed='x'"),
        (json.dumps(record() | {"dataset": 3}), "dataset=3"),
        (json.dumps({k: v for k, v in record().items() if k != "detector"}), "'detector' is miss"),
    ],
)
def test_a_damaged_or_foreign_file_is_an_error_that_names_it(tmp_path, content, complaint):
    folder = write(tmp_path, record())
    (folder / "odd.json").write_text(content)
    with pytest.raises(DataError, match=rf"odd\.json.*{complaint}"):
        read(folder)


def test_a_file_that_is_no_text_is_named_too(tmp_path):
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match=r"odd\.json"):
        read(tmp_path)


def test_a_folder_without_records_says_what_to_do(tmp_path):
    with pytest.raises(DataError, match="holds no records"):
        read(tmp_path)
    with pytest.raises(DataError, match="is no folder"):
        read(tmp_path / "nowhere")


def test_the_same_run_twice_is_an_error_that_names_both(tmp_path):
    one = read(write(tmp_path / "one", record()))
    two = read(write(tmp_path / "two", record()))
    with pytest.raises(DataError, match=r"one.*two.*same run"):
        ordered([*one, *two])


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
    assert not is_best(results, "slad", "auc_roc")
    assert is_best(results, "lof", "auc_roc")
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


def test_figures_of_others_beside_the_records_are_no_records(tmp_path):
    folder = write(tmp_path, record())
    (folder / "reference.json").write_text('{"figures": []}')
    assert len(read(folder)) == 1


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
    assert [is_best(results, name, "auc_roc") for name in "abc"] == [True, True, False]


def test_names_that_differ_in_a_leading_zero_are_different_datasets(tmp_path):
    folder = write(tmp_path, record(dataset="fmnist-012-vs-5"), record(dataset="fmnist-12-vs-5"))
    assert len(read(folder)) == 2
