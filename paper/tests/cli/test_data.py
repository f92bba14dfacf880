"""slad data list, fetch and check."""

from __future__ import annotations

import argparse
import hashlib
import io
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from slad.core.errors import ConfigError
from slad_paper.cli import data
from slad_paper.datasets import catalog, names
from slad_paper.datasets.catalog import Entry, File
from slad_paper.datasets.progress import ProgressLine, human

Run = Callable[..., int]


@pytest.fixture
def run() -> Run:
    def call(*words: str) -> int:
        parser = argparse.ArgumentParser()
        data.add_parser(parser.add_subparsers(required=True))
        options = parser.parse_args(["data", *words])
        code: int = options.run(options)
        return code

    return call


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def toys(tmp_path, monkeypatch) -> Iterator[Path]:
    """A catalog of four datasets, two of which a server has; gives the data root."""
    (tmp_path / "served").mkdir()
    for name in ("known", "unknown"):
        np.savez(tmp_path / f"served/{name}.npz", X=np.arange(6.0).reshape(3, 2), y=[0, 1, 0])
    content = (tmp_path / "served/known.npz").read_bytes()
    handler = partial(_Quiet, directory=str(tmp_path / "served"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"

    def entry(name: str, group: str, *files: File) -> Entry:
        facts = (3, 2, 1, "free", "nowhere", "nobody", "npz")
        return Entry(name, name.title(), group, *facts, note="Made by hand.", files=files)

    sha256 = hashlib.sha256(content).hexdigest()
    known = File("a/known.npz", f"{url}/known.npz", sha256, len(content))
    entries = (
        entry("known", "one", known),
        entry("unknown", "one", File("a/unknown.npz", f"{url}/unknown.npz")),
        entry("handmade", "two", File("a/handmade.npz", None, sha256)),
        entry("builtin", "two"),
    )
    monkeypatch.setattr(catalog, "_entries", lambda: {each.name: each for each in entries})
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "root"))
    monkeypatch.setenv("no_proxy", "*")
    yield tmp_path / "root"
    server.shutdown()
    thread.join()
    server.server_close()


def test_list_shows_every_dataset_in_aligned_columns(run, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    assert run("list") == 0
    header, *lines, _, last = capsys.readouterr().out.splitlines()
    assert header.split() == list(data.HEADER)
    assert [line.split()[0] for line in lines] == names()
    for column in ("group", "licence"):
        place = header.index(column)
        assert all(line[place - 1] == " " != line[place] for line in lines)
    assert str(tmp_path) in last
    thyroid = next(line for line in lines if line.startswith("38_thyroid "))
    assert thyroid.split()[1:9] == ["adbench", "3,772", "6", "93", "2.47%", "39.9", "kB", "no"]


def test_list_of_a_group_and_of_what_is_here(run, capsys, toys):
    assert run("list", "--group", "one") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:3]] == [
        "known", "unknown",
    ]  # fmt: skip
    assert run("list", "--here") == 0
    out = capsys.readouterr().out
    assert "builtin" in out
    assert "known" not in out
    assert run("fetch", "known") == 0
    capsys.readouterr()
    assert run("list", "--here") == 0
    assert "\nknown" in capsys.readouterr().out


def test_unknown_names_and_groups_are_refused_with_the_nearest_ones(run, toys):
    with pytest.raises(ConfigError, match="did you mean known"):
        run("fetch", "knwon")
    with pytest.raises(ConfigError, match="no group of datasets is called 'three'"):
        run("list", "--group", "three")
    with pytest.raises(ConfigError, match="did you mean known"):
        run("check", "knwon")
    with pytest.raises(ConfigError, match="give names, --group G or --all"):
        run("fetch")


def test_fetch_brings_files_and_says_so(run, capsys, toys):
    assert run("fetch", "known", "builtin") == 0
    said = capsys.readouterr()
    assert str(toys / "a/known.npz") in said.out
    assert "builtin: is built in" in said.out
    assert "2 of 2 datasets" in said.out
    assert said.err == ""  # the progress is for terminals
    assert run("fetch", "known") == 0
    assert "is here already" in capsys.readouterr().out


def test_fetch_says_where_it_noted_a_checksum_that_the_catalog_lacks(run, capsys, toys):
    assert run("fetch", "--group", "one") == 0
    assert "noted in unknown.npz.sha256" in capsys.readouterr().out
    assert (toys / "a/unknown.npz.sha256").is_file()


def test_fetch_goes_on_after_a_failure_and_ends_with_1(run, capsys, toys):
    assert run("fetch", "--all") == 1
    said = capsys.readouterr()
    assert "3 of 4 datasets" in said.out
    assert "no direct download" in said.err
    assert (toys / "a/unknown.npz").is_file()


def test_fetch_again_repairs_a_spoilt_file(run, capsys, toys):
    run("fetch", "known")
    good = (toys / "a/known.npz").read_bytes()
    (toys / "a/known.npz").write_bytes(b"spoilt")
    assert run("fetch", "known") == 1
    assert "slad data fetch known --again" in capsys.readouterr().err
    assert run("fetch", "known", "--again") == 0
    assert (toys / "a/known.npz").read_bytes() == good


def test_check_prints_a_line_a_file_and_a_count(run, capsys, toys):
    assert run("check") == 0
    assert "0 files" in capsys.readouterr().out
    run("fetch", "--all")
    (toys / "a/unknown.npz.sha256").unlink()
    capsys.readouterr()
    assert run("check") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["right    a/known.npz", "unknown  a/unknown.npz"]
    assert "2 files" in lines[2]
    assert "1 right, 0 wrong, 0 missing, 1 without a checksum" in lines[2]


def test_check_ends_with_1_when_a_file_is_wrong_or_one_asked_for_is_missing(run, capsys, toys):
    run("fetch", "known")
    assert run("check", "handmade") == 1
    assert "missing  a/handmade.npz" in capsys.readouterr().out
    (toys / "a/known.npz").write_bytes(b"spoilt")
    assert run("check") == 1
    out = capsys.readouterr().out
    assert "wrong    a/known.npz" in out
    assert "1 wrong" in out


def test_the_list_needs_no_numpy():
    program = (
        "import argparse, sys\n"
        "from slad_paper.cli import data\n"
        "parser = argparse.ArgumentParser()\n"
        "data.add_parser(parser.add_subparsers())\n"
        "options = parser.parse_args(['data', 'list'])\n"
        "assert options.run(options) == 0\n"
        "heavy = {'numpy', 'scipy', 'sklearn', 'torch'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True)
    assert done.returncode == 0, done.stderr


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_progress_line_has_bytes_share_and_speed(monkeypatch):
    now = iter([0.0, 0.05, 2.0, 3.0])
    monkeypatch.setattr("time.monotonic", lambda: next(now))
    terminal = Terminal()
    line = ProgressLine(terminal)
    for have in (0, 10_000, 2_000_000, 4_000_000):
        line("deep/file.npz", have, 4_000_000)
    line.close()
    *_, half, whole = terminal.getvalue().split("\r")
    assert half == "file.npz: 2.0 MB of 4.0 MB (50%), 1.0 MB/s"
    assert whole.rstrip() == "file.npz: 4.0 MB of 4.0 MB (100%), 1.3 MB/s"
    assert "10.0 kB" not in terminal.getvalue()  # too soon after the first


def test_there_is_no_progress_line_without_a_terminal():
    stream = io.StringIO()
    line = ProgressLine(stream)
    line("file.npz", 5, None)
    line.close()
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (999_999, "1.0 MB"), (2_500_000_000, "2.5 GB")],
)
def test_sizes_are_for_people(size, text):
    assert human(size) == text
