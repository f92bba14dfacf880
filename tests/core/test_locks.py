from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from slad.core.locks import locked


def test_only_one_at_a_time_holds_a_file_however_often_it_changes_hands(tmp_path):
    holders, most, counting = 0, 0, threading.Lock()

    def hold(_: int) -> None:
        nonlocal holders, most
        with locked(tmp_path / "file"):
            with counting:
                holders += 1
                most = max(most, holders)
            time.sleep(0.0005)
            with counting:
                holders -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hold, range(300)))
    assert most == 1


def test_nothing_is_left_behind_even_after_an_error(tmp_path):
    with pytest.raises(RuntimeError), locked(tmp_path / "file"):
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_two_files_are_held_at_once(tmp_path):
    with locked(tmp_path / "one"), locked(tmp_path / "other"):
        pass


def test_who_does_not_wait_is_told_that_it_is_held(tmp_path):
    with locked(tmp_path / "file"):
        with pytest.raises(BlockingIOError), locked(tmp_path / "file", wait=False):
            pass
        assert [path.name for path in tmp_path.iterdir()] == [".file.lock"]  # still held
    with locked(tmp_path / "file", wait=False):
        pass
