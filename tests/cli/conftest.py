"""A small mixed table with one row that anybody would find strange, and slad run on it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from order_tables import STRANGE, orders, write_csv

from slad.cli import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


Slad = Callable[..., Done]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def slad(tmp_path, monkeypatch, capsys) -> Slad:
    """Runs the program in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str | os.PathLike[str]) -> Done:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = stop.code
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return call


@pytest.fixture
def table(tmp_path) -> Path:
    return write_csv(tmp_path / "orders.csv", orders())


@pytest.fixture
def normal(tmp_path) -> Path:
    return write_csv(tmp_path / "normal.csv", orders(seed=1, strange=False))


@pytest.fixture
def few(tmp_path) -> Path:
    """Ten rows, one of them strange: few enough for a false-discovery rate to flag one."""
    return write_csv(tmp_path / "few.csv", orders()[STRANGE - 5 : STRANGE + 5])


@pytest.fixture
def model(slad, normal) -> Path:
    words = ("--detector", "knn-5", "--id", "order", "--label", "fraud", "--clean")
    done = slad("fit", normal, *words, "--out", "m.slad")
    assert done.code == 0, done.err
    assert "model fitted on 150 rows of normal.csv" in done.out
    return Path("m.slad").absolute()
