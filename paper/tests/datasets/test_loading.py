"""From a name to a checked table."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace

import numpy as np
import pytest
from toys import left, toy

from slad.core.errors import DataError
from slad_paper.datasets import catalog, load
from slad_paper.datasets.catalog import Entry


@pytest.fixture
def table(server, tmp_path, monkeypatch) -> Entry:
    """A dataset of the catalog that the server has."""
    rows = np.arange(12.0).reshape(4, 3)
    np.savez(tmp_path / "made.npz", X=rows, y=[0, 1, 0, 0])
    server.content = (tmp_path / "made.npz").read_bytes()
    entry = toy(server.url, hashlib.sha256(server.content).hexdigest(), len(server.content))
    monkeypatch.setattr(catalog, "_entries", lambda: {"toy": entry})
    return entry


def test_load_fetches_what_is_missing_and_reads_it(table, server, tmp_path):
    data = load("toy", root=tmp_path / "root")
    assert data.name == "toy"
    assert data.entry == table
    np.testing.assert_array_equal(data.X, np.arange(12.0).reshape(4, 3))
    np.testing.assert_array_equal(data.y, [0, 1, 0, 0])
    assert data.columns == ("x0", "x1", "x2")
    load("toy", root=tmp_path / "root")
    assert len(server.asked) == 1


def test_load_says_where_it_notes_a_checksum_that_nobody_knew(
    table, server, tmp_path, monkeypatch, capsys
):
    entry = toy(server.url, None, None)
    monkeypatch.setattr(catalog, "_entries", lambda: {"toy": entry})
    load("toy", root=tmp_path / "root")
    said = capsys.readouterr()
    assert said.out == ""
    assert hashlib.sha256(server.content).hexdigest() in said.err
    load("toy", root=tmp_path / "root")
    assert capsys.readouterr().err == ""


def test_load_shows_progress_on_a_terminal_only(table, tmp_path, monkeypatch, capsys):
    load("toy", root=tmp_path / "quiet")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    load("toy", root=tmp_path / "shown")
    assert "file.npz" in capsys.readouterr().err


def test_load_without_download_leaves_the_network_alone(table, server, tmp_path):
    with pytest.raises(DataError, match=r"toy: .*file\.npz is not there.*slad data fetch toy"):
        load("toy", root=tmp_path / "root", download=False)
    assert server.asked == []


def test_load_refuses_a_file_with_a_wrong_checksum(table, tmp_path):
    load("toy", root=tmp_path / "root")
    (tmp_path / "root/deep/file.npz").write_bytes(b"spoilt")
    with pytest.raises(DataError, match="slad data fetch toy --again"):
        load("toy", root=tmp_path / "root")


@pytest.mark.parametrize("change", [{"rows": 5}, {"features": 2}, {"anomalies": 2}])
def test_load_refuses_a_table_that_is_not_the_described_one(change, table, tmp_path, monkeypatch):
    entry = replace(table, **change)
    monkeypatch.setattr(catalog, "_entries", lambda: {"toy": entry})
    expected = (entry.rows, entry.features, entry.anomalies)
    with pytest.raises(DataError) as caught:
        load("toy", root=tmp_path / "root")
    assert f"(4, 3, 1), but toy has {expected}" in str(caught.value)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"X": np.ones((4, 3)), "y": [0, 1, 0]}, "4 rows, but 3 labels"),
        ({"X": np.ones((4, 3)), "y": [0, 1, 0, 0], "columns": ["a"]}, "1 column names, but 3"),
    ],
)
def test_load_refuses_a_table_that_does_not_fit_together(arrays, said, tmp_path, monkeypatch):
    (tmp_path / "deep").mkdir()
    np.savez(tmp_path / "deep/file.npz", **arrays)
    monkeypatch.setattr(catalog, "_entries", lambda: {"toy": toy(None, None, None)})
    with pytest.raises(DataError, match=said):
        load("toy", root=tmp_path)


@pytest.mark.parametrize(
    ("name", "first"), [("breast-cancer", "mean radius"), ("wine", "alcohol"), ("digits", None)]
)
def test_embedded_tables_need_no_file_and_have_their_column_names(name, first, tmp_path):
    data = load(name, root=tmp_path, download=False)
    entry = data.entry
    assert data.X.shape == (entry.rows, entry.features)
    assert data.y.sum() == entry.anomalies
    assert data.columns[0] == (first or "pixel_0_0")
    assert left(tmp_path) == {}
