"""`slad score` of files of any number, into a folder or with an engine."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
import rows
from order_tables import STRANGE, orders, write_csv
from pyarrow import parquet

from slad.cli import main
from slad.cli.large_score import out_is_folder
from slad.engines import sent_model
from slad.model import TableDetector


@pytest.fixture(scope="module")
def model():
    return rows.fitted()


def test_an_engine_writes_a_folder_and_so_needs_one(model, tmp_path, capsys):
    model.save(tmp_path / "m.slad")
    code = main(["score", str(tmp_path / "m.slad"), str(tmp_path), "--engine", "dask"])
    assert code == 2
    assert "--engine dask needs an output folder; use --out scores/" in capsys.readouterr().err


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")
def test_the_command_scores_a_folder_with_dask_and_loads_its_model_once(
    model, tmp_path, capsys, monkeypatch
):
    pytest.importorskip("dask.dataframe", reason="pip install 'slad[dask]'")
    sent_model._load.cache_clear()  # another test may have sent the same model
    loads, load = [], TableDetector.load.__func__
    monkeypatch.setattr(
        TableDetector,
        "load",
        classmethod(lambda cls, *given, **named: loads.append(given) or load(cls, *given, **named)),
    )
    model.save(tmp_path / "m.slad")
    folder = rows.files(tmp_path / "in", count=2, rows=300)
    out = tmp_path / "out"
    words = ["score", str(tmp_path / "m.slad"), str(folder), "--engine", "dask", "--out", str(out)]
    assert main(words) == 0
    assert "600 rows scored with dask" in capsys.readouterr().out
    assert len(loads) == 1
    scores = parquet.read_table(out)
    here = rows.expected(model, folder)
    assert dict(
        zip(scores["order"].to_pylist(), scores["score"].to_pylist(), strict=True)
    ) == pytest.approx(here, abs=1e-6)


@pytest.fixture
def orders_model(slad, normal) -> str:
    words = ("--detector", "knn-5", "--id", "order", "--drop", "fraud", "--quiet")
    assert slad("fit", normal, *words, "--out", "m.slad").code == 0
    return "m.slad"


@pytest.fixture
def days(tmp_path) -> Path:
    """Two files of orders; one row of the first is strange."""
    (tmp_path / "days").mkdir()
    write_csv(tmp_path / "days" / "a.csv", orders())
    write_csv(tmp_path / "days" / "b.csv", orders(seed=1, strange=False))
    return Path("days")


@pytest.mark.parametrize(
    ("out", "folder"),
    [(None, False), ("-", False), ("new.csv", False), ("new/", True), ("days", True), ("b", False)],
)
def test_a_folder_is_one_that_exists_or_a_name_with_a_slash_at_its_end(slad, days, out, folder):
    assert out_is_folder(argparse.Namespace(out=out)) == folder


def test_each_file_gets_its_own_scores_and_the_last_lines_count_all_of_them(
    slad, orders_model, days
):
    done = slad("score", orders_model, "days/*.csv", "--top", "1", "--out", "scores/")
    assert done.code == 2
    assert "all rows" in done.err
    done = slad("score", orders_model, "days/*.csv", "--fpr", "1%", "--out", "scores/")
    assert done.code == 0, done.err
    scores = {file.name: parquet.read_table(file) for file in Path("scores").glob("*.parquet")}
    assert sorted(scores) == ["a.parquet", "b.parquet"]
    flagged = sum(table["decision"].to_pylist().count("strange") for table in scores.values())
    assert done.out.startswith(f"scores/: 300 rows in 2 files, {flagged} flagged\n")
    assert scores["a.parquet"]["decision"][STRANGE - 1].as_py() == "strange"


def test_a_second_start_says_what_is_done_already_and_counts_it(slad, orders_model, days):
    words = ("score", orders_model, "days/*.csv", "--out", "scores/")
    first, second = slad(*words), slad(*words)
    assert "rows/s" in first.err
    assert second.err.count("scored by an earlier run") == 2
    assert second.out == first.out


def test_a_flagged_row_in_any_file_ends_with_3_where_asked(slad, orders_model, days):
    words = ("--fail-on-anomaly", "--quiet", "--out")
    done = slad("score", orders_model, days / "a.csv", *words, "a/")
    assert (done.code, done.err) == (3, "")
    one = write_csv(Path("one.csv"), orders(seed=1, strange=False)[:1])
    done = slad("score", orders_model, one, *words, "one/")
    assert done.code == 0
    assert done.out.startswith("one/: 1 rows in 1 file, 0 flagged")


@pytest.mark.parametrize(
    ("option", "word"), [("--report", "p.html"), ("--label", "fraud"), ("--positive", "1")]
)
@pytest.mark.parametrize("engine", [[], ["--engine", "dask"]])
def test_options_that_need_all_rows_at_once_are_refused(
    slad, orders_model, days, option, word, engine
):
    done = slad("score", orders_model, days, option, word, "--out", "scores/", *engine)
    assert done.code == 2
    assert f"{option} needs all rows at once, but --out scores/ is a folder" in done.err
    assert not Path("scores").exists()


@pytest.mark.parametrize("words", [["--fpr", "1%"], ["--reject", "0.9"]])
def test_an_engine_uses_the_model_s_own_rule_only(slad, orders_model, days, words):
    done = slad("score", orders_model, days, "--engine", "dask", "--out", "scores/", *words)
    assert done.code == 2
    assert "--engine dask uses the model's own rule" in done.err
    assert not Path("scores").exists()
