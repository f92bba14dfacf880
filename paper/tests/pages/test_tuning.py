"""The page of the tuning suite: sources count once, halvings against the nearest neighbour."""

from __future__ import annotations

import numpy as np
import pytest

from made_up_records import record, write
from slad_paper.datasets.suite import tasks
from slad_paper.pages import tuning
from slad_paper.pages.document import Heading, Notes, Report, Table, as_markdown, as_text
from slad_paper.pages.halvings import compared
from slad_paper.pages.records import read
from slad_paper.runner.halving import Halving

SOME = [task for task in tasks() if not task.mixed][:24]
DETECTORS = ("knn-1", "knn-1[scaling=minmax]", "lof", "new")


def runs(gain: float = 0.0, names=DETECTORS, **more) -> list[dict]:
    rng = np.random.default_rng(0)
    found = []
    for task in SOME:
        for name in names:
            roc, pr = rng.uniform(0.6, 0.7, 2) + (gain if name == "new" else 0.0)
            about = {"experiment": "tuning", "split": 0, "model": None} | more
            found.append(record(name, task.name, roc, pr, **about))
    return found


def report(folder, found) -> Report:
    return tuning.report(read(write(folder, *found)))


def part_after(made: Report, heading: str):
    parts = list(made.brief)
    return parts[parts.index(Heading(heading)) + 1]


def test_a_source_counts_once_as_the_mean_of_its_tasks(tmp_path):
    source = "iris"
    mine = [task.name for task in tasks() if task.source == source]
    other = next(task.name for task in tasks() if task.source == "haberman")
    found = [
        record("knn-1", name, roc, 0.5, experiment="tuning", split=0, model=None)
        for name, roc in (*((name, 0.6) for name in mine), (other, 0.9))
    ]
    table = part_after(report(tmp_path, found), "AUC-ROC over 2 sources")
    assert isinstance(table, Table)
    assert table.rows[0][-1].text == "0.750"


def test_a_better_candidate_is_chosen_and_found_surely_better(tmp_path):
    made = report(tmp_path, runs(gain=0.15))
    table = part_after(made, "Chosen on one half, evaluated on the other")
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == ["whatever was chosen", "new"]
    assert table.rows[1][1].text == "200"
    assert table.rows[1][2].text.startswith("+0.1")
    assert all(row["chosen"] == "new" for row in made.data["halvings"])


def test_chance_is_not_found_surely_better(tmp_path):
    made = report(tmp_path, runs())
    assert np.mean([row["sure"] == 1 for row in made.data["halvings"]]) < 0.2


def test_without_a_reference_or_with_nothing_else_there_is_no_halving(tmp_path):
    for at, names in enumerate((("lof", "new"), DETECTORS[:2])):
        made = report(tmp_path / str(at), runs(names=names))
        assert Heading("Chosen on one half, evaluated on the other") not in made.brief


def test_a_task_on_which_a_detector_failed_is_left_out_and_said(tmp_path):
    found = runs()
    found[0] = found[0] | {"status": "failed", "reason": "DataError: no", "metrics": None}
    made = report(tmp_path, found)
    notes = "\n".join(line for p in made.brief if isinstance(p, Notes) for line in p.lines)
    assert f"left out (knn-1 failed: DataError): {SOME[0].name}" in notes
    assert f"{len(SOME) - 1} are counted" in notes


def test_every_task_has_a_kind_in_words():
    kinds = {tuning.kind_of(task) for task in tasks()}
    assert kinds == {
        *(f"held-out classes: {what}" for what in ("numbers", "mixed", "images", "texts")),
        *(f"planted: {what}" for what in ("local", "cluster", "dependency", "marginal")),
    }


def test_the_page_is_written_as_text_and_markdown(tmp_path):
    made = report(tmp_path, runs())
    assert "Chosen on one half" in as_text(made)
    assert "by kind of task" in as_markdown(made)


@pytest.mark.parametrize(("shift", "verdict"), [(0.05, 1), (-0.05, -1), (0.0, 0)])
def test_a_difference_is_sure_in_one_direction_or_not_at_all(shift, verdict):
    noise = np.random.default_rng(0).normal(scale=0.02, size=40)
    noise -= noise.mean()
    halving = Halving("new", "knn-1", (), (), {"auc_roc": noise + shift, "auc_pr": noise})
    assert compared(halving).sure == verdict


def test_many_detectors_are_told_who_beats_whom_and_where_the_p_values_are(tmp_path):
    made = report(tmp_path, runs(names=(*DETECTORS, *(f"d{at}" for at in range(10)))))
    page = as_markdown(made)
    assert "better than" in page
    assert "tuning-pairs.csv" in page
