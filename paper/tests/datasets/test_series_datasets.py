"""Time series: what their readers take and refuse, and that tables are told apart from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from slad.core.errors import ConfigError, DataError
from slad_paper.datasets import catalog, load, load_series
from slad_paper.datasets.catalog import Entry, File
from slad_paper.datasets.readers.series import (
    read_series_csv,
    read_series_nasa,
    read_series_npz,
    read_series_skab,
)

OMI = ",a,b,label\n0,1,10,0\n1,2,20,0\n"
OMI_TEST = ",a,b,label\n0,3,30,0.0\n1,4,40,1.0\n2,5,50,0.0\n"
SKAB = "datetime;a;b;anomaly;changepoint\n" + "".join(
    f"2020-03-01 00:00:0{at};{at};{-at};{float(at == 4)};0.0\n" for at in range(6)
)
LISTED = 'chan_id,spacecraft,anomaly_sequences,class,num_values\nP-1,SMAP,"[[1, 2], [4, 4]]",x,6\n'


def entry(*paths: Path, **options: object) -> Entry:
    facts = (5, 2, 1, "free", "nowhere", "nobody", "series-csv", "series")
    files = tuple(File(path.name) for path in paths)
    return Entry("toy", "Toy", "series", *facts, files=files, options=options)


def written(folder: Path, **texts: str) -> list[Path]:
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


# -- readers ---------------------------------------------------------------------------------------


def test_a_pair_of_csv_files_loses_its_counter_and_its_labels(tmp_path):
    paths = written(tmp_path, train=OMI, test=OMI_TEST)
    raw = read_series_csv(entry(label="label"), paths)
    assert raw.train.tolist() == [[1, 10], [2, 20]]
    assert raw.test.tolist() == [[3, 30], [4, 40], [5, 50]]
    assert raw.labels.tolist() == [0, 1, 0]
    assert raw.channels == ("a", "b")


def test_channels_are_found_by_name_and_the_part_that_trains_needs_no_labels(tmp_path):
    paths = written(tmp_path, train="t,b,a\n0,10,1\n1,20,2\n", test=OMI_TEST)
    assert read_series_csv(entry(label="label"), paths).train.tolist() == [[1, 10], [2, 20]]


@pytest.mark.parametrize(
    ("train", "test", "said"),
    [
        ("t,a\n0,1\n", OMI_TEST, "no column 'b'"),
        (OMI, OMI, None),
        (OMI, OMI_TEST.replace("label", "attack"), "no column 'label'"),
        (OMI, OMI_TEST.replace("40", ""), "cannot be read"),
        (OMI, OMI_TEST.replace("40", "nan"), "has gaps"),
        (OMI, OMI_TEST.replace("1.0", "2.0"), "labels are 0.0, 2.0"),
    ],
)
def test_a_csv_file_that_is_not_whole_is_named(train, test, said, tmp_path):
    paths = written(tmp_path, train=train, test=test)
    if said is None:
        assert read_series_csv(entry(label="label"), paths).labels.sum() == 0
        return
    with pytest.raises(DataError, match=said):
        read_series_csv(entry(label="label"), paths)


def test_an_npz_holds_both_parts_and_the_labels(tmp_path):
    path = tmp_path / "toy.npz"
    train, test = np.zeros((3, 2), dtype=np.float32), np.ones((2, 2), dtype=np.float32)
    np.savez(path, train=train, test=test, label=np.array([0, 1], dtype=np.int8))
    raw = read_series_npz(entry(), [path])
    assert (raw.train.shape, raw.test.shape, raw.labels.tolist()) == ((3, 2), (2, 2), [0, 1])
    np.savez(path, train=train)
    with pytest.raises(DataError, match=r"toy\.npz cannot be read as npz"):
        read_series_npz(entry(), [path])


def test_nasa_s_intervals_count_both_ends(tmp_path):
    np.save(tmp_path / "train.npy", np.zeros((4, 2)))
    np.save(tmp_path / "test.npy", np.zeros((6, 2)))
    (listed,) = written(tmp_path, listed=LISTED)
    paths = [tmp_path / "train.npy", tmp_path / "test.npy", listed]
    assert read_series_nasa(entry(channel="P-1"), paths).labels.tolist() == [0, 1, 1, 0, 1, 0]
    with pytest.raises(DataError, match="no line of channel 'P-9'"):
        read_series_nasa(entry(channel="P-9"), paths)


def test_the_first_points_of_a_file_of_skab_train(tmp_path):
    (path,) = written(tmp_path, file=SKAB)
    raw = read_series_skab(entry(train=3), [path])
    assert raw.train[:, 0].tolist() == [0, 1, 2]
    assert raw.test.tolist() == [[3, -3], [4, -4], [5, -5]]
    assert raw.labels.tolist() == [0, 1, 0]
    assert raw.channels == ("a", "b")
    with pytest.raises(DataError, match="more than 6 points"):
        read_series_skab(entry(train=6), [path])


# -- by name ---------------------------------------------------------------------------------------


@pytest.fixture
def toy(tmp_path, monkeypatch) -> Entry:
    paths = written(tmp_path, train=OMI, test=OMI_TEST)
    made = entry(*paths, label="label")
    monkeypatch.setattr(catalog, "_entries", lambda: {"toy": made, "table": _table()})
    return made


def _table() -> Entry:
    return Entry("table", "Table", "one", 3, 2, 1, "free", "nowhere", "nobody", "npz")


def test_a_series_is_loaded_by_its_name(toy, tmp_path):
    series = load_series("toy", root=tmp_path)
    assert (series.train.shape, series.test.shape) == ((2, 2), (3, 2))
    assert series.labels.tolist() == [0, 1, 0]
    assert series.entry is toy


def test_tables_and_series_are_not_taken_for_each_other(toy, tmp_path):
    with pytest.raises(
        ConfigError, match=r"not independent: slad_paper\.datasets\.load_series\('toy'\)"
    ):
        load("toy", root=tmp_path)
    with pytest.raises(ConfigError, match=r"no time series: slad_paper\.datasets\.load\('table'\)"):
        load_series("table", root=tmp_path)


def test_a_series_of_another_shape_than_the_catalog_says_is_refused(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(catalog, "_entries", lambda: {"toy": replace(toy, rows=6)})
    with pytest.raises(DataError, match=r"are \(5, 2, 1\), but toy has \(6, 2, 1\)"):
        load_series("toy", root=tmp_path)


def test_a_series_with_another_checksum_is_refused(toy, tmp_path, monkeypatch):
    files = (replace(toy.files[0], sha256="0" * 64), toy.files[1])
    monkeypatch.setattr(catalog, "_entries", lambda: {"toy": replace(toy, files=files)})
    with pytest.raises(DataError, match="another file than expected"):
        load_series("toy", root=tmp_path)
