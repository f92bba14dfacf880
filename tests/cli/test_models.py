"""slad fit, score, explain and info: a model that is saved and used again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.order_tables import ROWS, STRANGE, orders, read_csv, write_csv
from slad.core.artifact import read_artifact, write_artifact
from slad.core.errors import ArtifactError
from slad.model import TableDetector


@pytest.fixture
def model(slad, normal) -> Path:
    words = ("--detector", "knn-5", "--id", "order", "--label", "fraud", "--clean")
    done = slad("fit", normal, *words, "--out", "m.slad")
    assert done.code == 0, done.err
    assert "model fitted on 150 rows of normal.csv" in done.out
    return Path("m.slad").absolute()


def test_a_fit_notes_what_it_did_beside_the_model(slad, model):
    found = json.loads(Path("m.manifest.json").read_text())
    assert found["input"]["sha256"]
    assert found["versions"]["numpy"]
    assert found["command"].startswith("slad fit ")
    assert {c["name"]: c["used"] for c in found["columns"]} == {
        "order": False, "item": True, "price": True, "weight": True, "fraud": False,
    }  # fmt: skip
    assert "9.0" not in json.dumps(found["columns"])


def test_a_model_needs_a_file_to_go_to(slad, normal):
    done = slad("fit", normal)
    assert done.code == 2
    assert "--out MODEL" in done.err


def test_scores_of_a_saved_model_name_the_strange_row(slad, model, table):
    done = slad("score", model, table, "--label", "fraud", "--out", "scores.csv")
    assert done.code == 0, done.err
    assert f"A-{STRANGE}" in done.out.split("\n\n")[1]
    assert "AUC-ROC 1.000" in done.out
    assert len(read_csv(Path("scores.csv"))) == ROWS


def test_the_rule_can_be_another_one_at_scoring(slad, model, table):
    slad("score", model, table, "--top", "7", "--out", "scores.csv")
    assert sum(row["decision"] == "strange" for row in read_csv(Path("scores.csv"))) == 7


def test_columns_may_come_in_another_order_but_not_be_missing(slad, model, table):
    slad("score", model, table, "--out", "a.csv")
    turned = [dict(reversed(row.items())) | {"new": 1} for row in orders()]
    write_csv(table, turned)
    assert slad("score", model, table, "--out", "b.csv").code == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    write_csv(table, [{k: v for k, v in row.items() if k != "price"} for row in orders()])
    done = slad("score", model, table, "--out", "c.csv")
    assert done.code == 1
    assert "price" in done.err
    assert not Path("c.csv").exists()


def test_rows_are_explained_by_number_by_id_or_because_they_are_flagged(slad, model, few):
    place = 5  # of the strange row in the table of few rows
    for words in (["--rows", f"{place}"], ["--ids", f"A-{STRANGE}"], ["--fdr", "10%"]):
        done = slad("explain", model, few, *words)
        assert done.code == 0, done.err
        assert done.out.startswith(f"row {place}, A-{STRANGE}")
        assert "price is 9,999" in done.out


def test_reasons_can_be_a_table(slad, model, few):
    slad("explain", model, few, "--rows", "5,1", "--out", "reasons.csv", "--reasons", "1")
    lines = read_csv(Path("reasons.csv"))
    assert list(lines[0]) == ["row", "id", "rank", "columns", "contribution", "share", "reason"]
    assert "price" in lines[0]["columns"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rows", "0"], "rows 1 to 10"),
        (["--rows", "11"], "rows 1 to 10"),
        (["--ids", "A-37", "B-1"], "no row B-1"),
    ],
)
def test_rows_that_are_not_there_are_named(slad, model, few, words, message):
    done = slad("explain", model, few, *words)
    assert done.code == 1
    assert message in done.err


def test_no_flagged_row_is_said(slad, model, normal):
    done = slad("explain", model, normal, "--fdr", "1%")
    assert (done.code, done.out) == (0, "")
    assert "no row is flagged" in done.err


def test_info_says_what_a_model_is(slad, model):
    shown = slad("info", model).out
    for words in ("normal.csv, 150 rows", "knn-5", "known to be normal", "price", "as asked"):
        assert words in shown
    assert json.loads(slad("info", model, "--json").out)["detector"]["name"] == "knn-5"


def test_a_model_of_another_version_is_refused_with_the_way_out(slad, model, table):
    description, arrays = read_artifact(model)
    description["slad_version"] = "9.9"
    del description["calibration"]
    write_artifact(model, description, arrays)
    done = slad("score", model, table, "--out", "s.csv")
    assert done.code == 1
    assert "written by slad 9.9" in done.err
    assert "fit again" in done.err
    assert not Path("s.csv").exists()


@pytest.mark.parametrize("kept", [0, 7, 500, -1])
def test_a_model_cut_short_is_refused(slad, model, table, kept):
    model.write_bytes(model.read_bytes()[:kept])
    done = slad("score", model, table, "--out", "s.csv")
    assert done.code == 1
    assert "not a whole slad model" in done.err
    assert not Path("s.csv").exists()


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> tuple[Path, bytes, list[float]]:
    folder = tmp_path_factory.mktemp("saved")
    normal = write_csv(folder / "normal.csv", orders(seed=1, strange=False)[:40])
    model = TableDetector("ecod", rule="top", level=1, id="order").fit(normal)
    model.save(folder / "m.slad")
    scores = TableDetector.load(folder / "m.slad").anomaly_score(normal).tolist()
    return normal, (folder / "m.slad").read_bytes(), scores


@settings(max_examples=60)
@given(data=st.data())
def test_a_spoilt_model_is_refused_or_scores_as_before(saved, data, tmp_path):
    normal, whole, scores = saved
    spoilt = bytearray(whole)
    if data.draw(st.booleans(), label="cut"):
        del spoilt[data.draw(st.integers(0, len(whole) - 1), label="length") :]
    else:
        header = data.draw(st.booleans(), label="in the header")
        most = min(4000, len(whole)) if header else len(whole)
        for _ in range(data.draw(st.integers(1, 3))):
            spoilt[data.draw(st.integers(0, most - 1))] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "spoilt.slad"
    path.write_bytes(spoilt)
    try:
        model = TableDetector.load(path)
    except ArtifactError:
        return
    assert model.anomaly_score(normal).tolist() == scores


def test_columns_that_the_model_does_not_know_are_named_in_one_line(slad, model, table):
    write_csv(table, [row | {"colour": "red", "size": 3} for row in orders()])
    done = slad("score", model, table)
    assert done.code == 0, done.err
    assert done.err.count("colour, size") == 1
    assert slad("score", model, table, "--id", "item").code == 0
    named = slad("score", model, table, "--label", "fraud", "--id", "colour")
    assert "ignored, because the model does not know them: size\n" in named.err


def test_scoring_the_table_that_was_learned_from_is_remarked_on(slad, model, normal, table):
    assert "use slad detect to score the rows of one table" in slad("score", model, normal).err
    assert "use slad detect" not in slad("score", model, table).err


def test_a_table_in_which_everything_changed_is_remarked_on(slad, model, table):
    changed = [row | {"price": float(row["price"]) * 40} for row in orders()]
    write_csv(table, changed)
    done = slad("score", model, table)
    assert "caution: 100% of its rows score like the strangest 10%" in done.err
    assert "did something change for all rows?" in done.err
