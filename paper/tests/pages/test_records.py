from __future__ import annotations

import json

import pytest

from made_up_records import record, write
from slad.core.errors import DataError
from slad_paper.pages.records import datasets, detectors, ordered, read


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
        ("[]", "not a record of format 1"),
        (json.dumps({"recipe": "released"}), "not a record of format 1"),
        (json.dumps(record() | {"format": 2}), "not a record of format 1"),
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
    with pytest.raises(DataError, match="has no records"):
        read(tmp_path)
    with pytest.raises(DataError, match="is not a folder"):
        read(tmp_path / "nowhere")


def test_the_same_run_twice_is_an_error_that_names_both(tmp_path):
    one = read(write(tmp_path / "one", record()))
    two = read(write(tmp_path / "two", record()))
    with pytest.raises(DataError, match=r"one.*two.*same run"):
        ordered([*one, *two])


def test_figures_of_others_beside_the_records_are_no_records(tmp_path):
    folder = write(tmp_path, record())
    (folder / "reference.json").write_text('{"figures": []}')
    assert len(read(folder)) == 1


def test_names_that_differ_in_a_leading_zero_are_different_datasets(tmp_path):
    folder = write(tmp_path, record(dataset="fmnist-012-vs-5"), record(dataset="fmnist-12-vs-5"))
    assert len(read(folder)) == 2
