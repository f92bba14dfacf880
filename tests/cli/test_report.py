"""slad report: a page from a manifest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_parser_imports_nothing_heavy():
    program = (
        "import sys, argparse\nfrom slad.cli import report\n"
        "report.add_parser(argparse.ArgumentParser().add_subparsers())\n"
        "assert not {'numpy', 'scipy', 'torch', 'matplotlib'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


FAST = ("--detector", "ecod", "--id", "order", "--drop", "fraud")


def test_a_page_is_made_of_a_manifest(slad, table):
    slad("detect", table, *FAST, "--out", "scores.csv", "--report", "page.html")
    done = slad("report", "scores.manifest.json")
    assert done.code == 0, done.err
    assert Path("scores.html").read_text() == Path("page.html").read_text()
    assert slad("report", "scores.manifest.json", "--out", "other.html").code == 0
    assert Path("other.html").exists()


def test_a_page_is_made_of_findings_alone(slad, table):
    Path("list.json").write_text("[]")
    for name, message in (("orders.csv", "not JSON"), ("list.json", "holds a list")):
        done = slad("report", name)
        assert done.code == 1
        assert message in done.err
    assert not list(Path().glob("*.html"))
    assert slad("report", "list.json", "orders.csv").code == 2


def test_a_path_that_does_not_exist_is_named(slad):
    done = slad("report", "nowhere.json")
    assert (done.code, done.err) == (1, "slad: nowhere.json does not exist\n")
