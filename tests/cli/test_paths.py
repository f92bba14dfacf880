"""Input and output paths are checked before the work."""

from __future__ import annotations

import os

import pytest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "folder"], "is a folder"),
        (["--out", "nowhere/s.csv"], "the folder nowhere does not exist"),
        (["--out", "orders.csv/s.csv"], "the folder orders.csv does not exist"),
        (["--out", "s.xyz"], "unknown file format; use a name ending in .arrow"),
        (["--out", "orders.csv"], "would overwrite the input"),
        (["--report", "page.csv"], "use a name ending in .html"),
        (["--report", "folder"], "is a folder"),
        (["--manifest", "nowhere/m.json"], "the folder nowhere does not exist"),
        (["--out", "s.json", "--manifest", "s.json"], "are both s.json"),
    ],
)
def test_an_output_that_cannot_be_written_is_an_error_before_the_work(slad, table, words, message):
    (table.parent / "folder").mkdir()
    done = slad("detect", table, "--detector", "ecod", *words)
    assert done.code == 2
    assert message in done.err
    assert "reading" not in done.err
    assert {path.name for path in table.parent.iterdir()} == {"orders.csv", "folder"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission_is_an_error_before_the_work(slad, table):
    (table.parent / "closed").mkdir(mode=0o500)
    done = slad("detect", table, "--out", "closed/s.csv")
    assert done.code == 2
    assert "no permission to write" in done.err
