"""Where files that can be made again are kept, on every platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from slad.core.folders import cache_folder


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.mark.parametrize(
    ("platform", "folder"),
    [("linux", ".cache"), ("darwin", "Library/Caches"), ("win32", "AppData/Local")],
)
def test_without_settings_it_is_the_platform_s_own(platform, folder, home, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == home / folder


@pytest.mark.parametrize(
    ("platform", "name"), [("linux", "XDG_CACHE_HOME"), ("win32", "LOCALAPPDATA")]
)
def test_the_user_s_setting_is_taken(platform, name, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    assert cache_folder() == tmp_path / "elsewhere"


@pytest.mark.parametrize("value", ["", "relative/folder"])
def test_a_setting_that_is_no_whole_path_is_ignored(value, home, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert cache_folder() == home / ".cache"
