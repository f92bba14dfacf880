"""A file appears complete or not at all."""

from __future__ import annotations

import os
import sys

import pytest

from slad.core.files import written_aside


def test_the_file_appears_with_the_end_of_the_block_and_leaves_nothing_beside_it(tmp_path):
    target = tmp_path / "scores.csv"
    with written_aside(target) as aside:
        aside.write_text("1\n")
        assert aside.parent == tmp_path  # a rename within one file system is atomic
        assert not target.exists()
    assert target.read_text() == "1\n"
    assert list(tmp_path.iterdir()) == [target]


def test_an_existing_file_is_replaced_as_a_whole(tmp_path):
    target = tmp_path / "scores.csv"
    target.write_text("old and longer\n")
    with written_aside(target) as aside:
        aside.write_text("new\n")
        assert target.read_text() == "old and longer\n"
    assert target.read_text() == "new\n"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_or_ctrl_c_leaves_the_old_file_and_nothing_beside_it(error, tmp_path):
    target = tmp_path / "scores.csv"
    target.write_text("old\n")

    def broken_off() -> None:
        with written_aside(target) as aside:
            aside.write_text("half of the ne")
            raise error

    with pytest.raises(error):
        broken_off()
    assert target.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_the_file_has_the_mode_that_the_user_s_mask_leaves(mask, mode, tmp_path):
    before = os.umask(mask)
    try:
        with written_aside(tmp_path / "a"):
            pass
        assert os.umask(mask) == mask  # as it was
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


def test_a_missing_folder_is_an_error_before_the_block(tmp_path):
    def write() -> None:
        with written_aside(tmp_path / "nowhere" / "a"):
            raise AssertionError("the block ran")

    with pytest.raises(FileNotFoundError):
        write()
