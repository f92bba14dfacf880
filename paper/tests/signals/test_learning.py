"""All steps of `slad learn-signals` on a few small tables, and what they leave behind."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from made_up_tables import NAMES, write_tables
from made_up_tasks import SMALL, made_up_task
from slad.core.errors import ConfigError, DataError, TrainingError
from slad.core.version import __version__
from slad.detectors.signals.profile import LEVELS
from slad.detectors.signals.weights import CARD, FILE, KINDS, PARTS, read_weights
from slad_paper.datasets.one_class import CASES, one_class_table, rows_of
from slad_paper.signals import learning
from slad_paper.signals.crossing import LEARNED, LOGISTIC, MEAN, SEEKS_CELLS, SINGLE
from slad_paper.signals.learning import (
    SEED,
    make_inputs,
    means_over_sources,
    steps,
    write_weights,
)
from slad_paper.signals.table_inputs import PLANTED, TRAINING, TableInputs, carry_out, teach
from slad_paper.signals.training import learned
from slad_paper.studies.table_runs import SHOWN, measured

LABELS = (LEARNED, SEEKS_CELLS, MEAN, LOGISTIC, SINGLE)
TOO_SMALL = NAMES[3]
"""For errors to be planted in it."""


class Here:
    """Makes inputs in this process, which is quicker for small ones; notes which."""

    made: list[TableInputs]

    def __init__(self, size: int, module: str) -> None:
        self.size = size

    def __class_getitem__(cls, runs: type) -> type:
        return cls

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def outcomes(self, on_gpu, on_cpu):
        assert not on_gpu
        for [each] in on_cpu:
            Here.made.append(each)
            [outcome] = carry_out([each], "cpu")
            yield each, outcome, 0.0


@pytest.fixture
def here(monkeypatch) -> list[TableInputs]:
    """The inputs that are made."""
    Here.made = []
    monkeypatch.setattr(learning, "Pool", Here)
    return Here.made


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The root of four tables of three sources; settings with which networks learn quickly."""
    root = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLAD_DATA", str(root))
        patch.setattr(learning, "Settings", lambda: SMALL)
        yield write_tables(root, train=100, normal=80, odd=16)


@pytest.fixture(scope="module")
def whole(small, tmp_path_factory) -> Path:
    """A folder in which all steps were done, by workers: inputs/, weights/ and records/."""
    return done_in(tmp_path_factory.mktemp("whole"))


def done_in(folder: Path) -> Path:
    list(steps(folder / "inputs", folder / "weights", folder / "records", workers=1))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def record(folder: Path, label: str, case: str) -> dict:
    return json.loads((folder / "records" / f"{label} on {case}.json").read_text())


def card(folder: Path) -> dict:
    return json.loads((folder / "weights" / CARD).read_text())


# -- all steps -----------------------------------------------------------------------------------


def test_doing_everything_again_gives_the_same_bytes(whole, tmp_path, here):
    again = done_in(tmp_path)
    assert len(here) == len(NAMES) * len(TRAINING)
    for part in ("inputs", "weights"):
        assert contents(again / part) == contents(whole / part)
    for label in LABELS:
        for case in CASES:
            assert record(again, label, case)["result"] == record(whole, label, case)["result"]


def test_the_weights_are_those_learned_from_all_tables_that_teach_the_kind(whole):
    tasks = make_inputs(whole / "inputs", workers=1)
    content = (whole / "weights" / FILE).read_bytes()
    for kind in KINDS:
        stored = read_weights(content, kind)
        wanted = learned([task for task in tasks if teach(kind, task.case)], SMALL, SEED)
        for part in PARTS:
            np.testing.assert_array_equal(getattr(stored, part), getattr(wanted, part))
    with np.load(whole / "weights" / FILE, allow_pickle=False) as stored:
        assert set(stored.files) == {f"{kind}.{part}" for kind in KINDS for part in PARTS}


def test_the_card_means_the_file_and_says_how_it_was_made(whole):
    content, found = (whole / "weights" / FILE).read_bytes(), card(whole)
    assert found["sha256"] == hashlib.sha256(content).hexdigest()
    assert found["bytes"] == len(content)
    assert (found["made_by"], found["slad_version"]) == ("slad learn-signals", __version__)
    assert found["settings"] == asdict(SMALL)
    assert (found["learned_from"]["tables"], found["learned_from"]["sources"]) == (4, 3)
    assert set(contents(whole / "weights")) == {FILE, CARD}


def test_the_card_has_the_means_of_every_label_in_every_case_it_was_judged_in(whole):
    means = card(whole)["metrics"]["means"]
    assert means.keys() == set(LABELS)
    for label in LABELS:
        wanted = set(CASES) if label == SEEKS_CELLS else set(TRAINING)
        assert means[label].keys() == wanted
    for case in CASES:
        result = record(whole, LEARNED, case)["result"]
        of_table = np.array([result[metric] for metric in SHOWN]).T
        over = [of_table[:2].mean(axis=0), of_table[2], of_table[3]]  # two are of one source
        np.testing.assert_allclose(means[LEARNED][case], np.mean(over, axis=0), atol=1e-4)


def test_every_label_has_a_record_in_every_case_of_the_study_of_tables(whole):
    names = {f"{label} on {case}.json" for label in LABELS for case in CASES}
    assert set(contents(whole / "records")) == {*names, "tables.csv"}
    for label in LABELS:
        for case in CASES:
            found = record(whole, label, case)
            assert found["settings"]["settings"] == asdict(SMALL)
            assert found["settings"]["detector"] == label
            assert found["settings"]["case"] == case
            assert found["result"]["failures"] == {}
            assert found["environment"]["command"] == "slad learn-signals"


def test_a_record_measures_the_judged_rows_of_the_tables_in_their_order(whole):
    tasks = {(task.table, task.case): task for task in make_inputs(whole / "inputs", workers=1)}
    result = record(whole, MEAN, "clean")["result"]
    for at, name in enumerate(NAMES):
        tails = tasks[name, "clean"].inputs[:, : len(LEVELS)].astype(float)
        labels = rows_of(one_class_table(name), "clean").labels
        wanted = measured(labels, tails.mean(axis=1))
        assert {metric: result[metric][at] for metric in SHOWN} == wanted


def test_it_says_what_comes_next_and_where_the_result_is(whole):
    said = list(steps(whole / "inputs", whole / "weights", whole / "records", workers=1))
    assert said[0] == "signals of all tables"
    assert said[-1] == f"written: {whole / 'weights' / FILE} and {whole / 'weights' / CARD}"


# -- inputs --------------------------------------------------------------------------------------


def test_inputs_that_lie_in_the_folder_are_not_made_again(whole, here):
    before = contents(whole / "inputs")
    lost = whole / "inputs" / "mixed" / f"{NAMES[2]}.npz"
    lost.unlink()
    make_inputs(whole / "inputs", workers=1)
    assert [(each.table, each.case) for each in here] == [(NAMES[2], "mixed")]
    assert contents(whole / "inputs") == before
    make_inputs(whole / "inputs", workers=1)
    assert len(here) == 1


def test_a_table_that_is_too_small_for_errors_is_left_out_of_these_alone(whole, here):
    tasks = make_inputs(whole / "inputs", workers=1)
    every = [(name, case) for name in NAMES for case in TRAINING]
    left = {(TOO_SMALL, case) for case in PLANTED}
    assert [(task.table, task.case) for task in tasks] == [
        each for each in every if each not in left
    ]
    assert not here


def test_a_table_that_cannot_be_read_stops_everything_and_is_named(tmp_path, monkeypatch, here):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "data"))
    write_tables(tmp_path / "data", train=10, normal=10, odd=4)
    one_class_table(NAMES[0]).path.write_bytes(b"spoilt")
    with pytest.raises(TrainingError, match=f"{NAMES[0]}, clean: .* is not the file"):
        done_in(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"data", "inputs"}
    assert not list((tmp_path / "inputs").rglob("*.npz"))


def test_without_tables_it_says_where_they_are_expected(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    with pytest.raises(DataError, match="set SLAD_DATA to a folder whose tables/ holds"):
        make_inputs(tmp_path / "inputs", workers=1)
    assert not (tmp_path / "inputs").exists()


# -- figures and files ---------------------------------------------------------------------------


def test_a_source_counts_once_in_the_means_however_many_tables_it_has():
    """One source has two tables that are judged wrongly; the other has one, judged well."""
    tasks = [made_up_task(name, group) for name, group in (("a", "a"), ("a2", "a"), ("b", "b"))]
    sign = {"a": -1.0, "b": 1.0}
    scores = {"mine": {(t.table, "clean"): sign[t.group] * t.labels for t in tasks}}
    means = means_over_sources(scores, tasks)
    assert means.keys() == {"mine"}
    assert means["mine"].keys() == {"clean"}
    assert means["mine"]["clean"][0] == 0.5


def test_a_card_of_other_weights_replaces_the_former_one(small, tmp_path):
    tasks = [made_up_task(case=case) for case in TRAINING]
    cards = []
    for seed in (0, 1):
        weights = {
            kind: learned([task for task in tasks if teach(kind, task.case)], SMALL, seed)
            for kind in KINDS
        }
        write_weights(weights, tmp_path / "weights", {})
        cards.append(card(tmp_path))
        content = (tmp_path / "weights" / FILE).read_bytes()
        assert cards[-1]["sha256"] == hashlib.sha256(content).hexdigest()
    assert cards[0]["sha256"] != cards[1]["sha256"]


def test_signals_of_other_tables_are_refused_and_stay(small, tmp_path, monkeypatch, here):
    make_inputs(tmp_path / "inputs", 1)
    before = sorted((tmp_path / "inputs").rglob("*.npz"))
    write_tables(tmp_path / "other", train=90, normal=60, odd=12)
    monkeypatch.setenv("SLAD_DATA", str(tmp_path / "other"))
    with pytest.raises(ConfigError, match="holds signals of other tables"):
        make_inputs(tmp_path / "inputs", 1)
    assert sorted((tmp_path / "inputs").rglob("*.npz")) == before


def test_signals_of_other_code_are_refused(small, tmp_path, monkeypatch, here):
    make_inputs(tmp_path / "inputs", 1)
    monkeypatch.setattr(learning, "_signals", lambda: "other code")
    with pytest.raises(ConfigError, match="another version of slad"):
        make_inputs(tmp_path / "inputs", 1)


def test_a_folder_of_other_files_is_not_written_into(small, tmp_path, here):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ConfigError, match="is not empty"):
        make_inputs(tmp_path, 1)
    assert not here


def test_records_of_other_tables_are_refused_before_work_starts(small, tmp_path, here):
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "tables.csv").write_text("name\nother\n")
    with pytest.raises(ConfigError, match="lists other tables"):
        list(steps(tmp_path / "inputs", tmp_path / "out", tmp_path / "records", 1))
    assert not here
    assert not (tmp_path / "inputs").exists()


def test_no_processes_are_refused_before_work_starts(small, tmp_path):
    with pytest.raises(ConfigError, match="workers=0"):
        list(steps(tmp_path / "inputs", tmp_path / "out", tmp_path / "records", 0))
