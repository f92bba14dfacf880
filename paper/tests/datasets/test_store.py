"""The data root, and the files that lie there."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from toys import OTHER, SUM, toy

from slad.core.errors import DataError
from slad_paper.datasets import data_root
from slad_paper.datasets.store import checksum, verify


def test_the_variable_names_the_data_root(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    assert data_root() == tmp_path
    monkeypatch.setenv("SLAD_DATA", "~/tables")
    assert data_root() == Path.home() / "tables"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/caches"}, Path("/caches/slad")),
        ("linux", {"XDG_CACHE_HOME": "not/absolute"}, Path("/home/me/.cache/slad")),
        ("linux", {}, Path("/home/me/.cache/slad")),
        ("darwin", {"XDG_CACHE_HOME": "/caches"}, Path("/home/me/Library/Caches/slad")),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/slad")),
        ("win32", {}, Path("/home/me/AppData/Local/slad")),
    ],
)
def test_else_it_is_the_cache_folder_of_the_platform(platform, variables, expected, monkeypatch):
    for name in ("SLAD_DATA", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert data_root() == expected


def test_the_same_content_packed_otherwise_is_as_good(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file.npz").write_bytes(b"other")
    entry = toy(None)
    with pytest.raises(DataError, match=f"{SUM} expected, {OTHER} found"):
        verify(entry, tmp_path)
    assert verify(replace(entry, files=(replace(entry.files[0], also=OTHER),)), tmp_path)


def test_a_checksum_is_computed_once_while_the_file_stays_the_same(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"other")
    assert checksum(path) == OTHER
    with monkeypatch.context() as patch:
        patch.setattr(hashlib, "file_digest", lambda *_: pytest.fail("hashed again"))
        assert checksum(path) == OTHER
    path.write_bytes(b"longer than before")
    assert checksum(path) != OTHER


def test_a_missing_file_says_how_to_get_it(tmp_path):
    with pytest.raises(DataError, match=r"is not there.*slad data fetch toy.*SLAD_DATA"):
        verify(toy("http://nowhere.invalid/file.npz"), tmp_path)


def test_a_file_put_by_hand_without_a_known_checksum_is_taken_as_it_is(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file.npz").write_bytes(b"anything")
    assert not verify(toy(None, None, None), tmp_path)


def test_a_garbled_note_is_named(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file.npz").write_bytes(b"anything")
    (tmp_path / "deep/file.npz.sha256").write_text("nonsense")
    with pytest.raises(DataError, match=r"file\.npz\.sha256 holds no sha256 but 'nonsense'"):
        verify(toy(None, None, None), tmp_path)
