"""docs/detectors.md: its figures are those of the records, its names those of the registry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from made_up_records import record, write
from slad.core.errors import DataError
from slad.detectors import registry
from slad_paper.pages.detectors_page import HEADER, Figures, build, filled, listed

HERE = Path(__file__).parents[2]
PAGE = HERE.parent / "docs" / "detectors.md"
committed = pytest.mark.skipif(
    not (HERE / "results").is_dir(), reason="the records are in the repository only"
)
SMALL = f"""# Title

| {" | ".join(HEADER)} |
|---|---|---|---:|---:|---|---|
| `knn-1` | clean rows | all rows | 9 | 9 | 9 | 9 |
| `icl` | a | b | | | | |

| name | other |
|---|---|
| `knn-1` | stays |
"""


def results(folder: Path) -> Path:
    seconds = {"knn-1": {"seconds": {"fit": 0.01234, "score": 1.567}}}
    costs = {"result": {"detectors": seconds}, "environment": {}}
    (folder / "speed").mkdir(parents=True)
    (folder / "speed" / "cost-cpu.json").write_text(json.dumps(costs))
    runs = [
        record(name, dataset, roc, 0.5, experiment="adbench")
        for name, roc in (("knn-1", 0.91), ("lof", 0.8))
        for dataset in ("45_wine", "6_cardio")
    ]
    write(folder, *runs)
    return folder


def test_figures_are_filled_in_by_name_and_words_stay(tmp_path):
    made = filled(SMALL, Figures.read(results(tmp_path)))
    assert "| `knn-1` | clean rows | all rows | 0.012 | 1.6 | 0.910, 0.500 | 1.0, 1.5 |" in made
    assert "| `icl` | a | b | – | – | – | – |" in made
    assert "| `knn-1` | stays |" in made
    assert filled(made, Figures.read(tmp_path)) == made


def test_without_records_there_are_no_figures_and_without_a_table_an_error(tmp_path):
    nothing = Figures.read(tmp_path)
    assert "| `knn-1` | clean rows | all rows | – | – | – | – |" in filled(SMALL, nothing)
    with pytest.raises(DataError, match="no table"):
        filled("# Title\n", nothing)


def test_the_page_is_written_in_place(tmp_path):
    page = tmp_path / "docs" / "detectors.md"
    page.parent.mkdir()
    page.write_text(SMALL)
    results(tmp_path / "paper" / "results")
    build(tmp_path)
    assert "1.6" in page.read_text()


@committed
def test_the_committed_figures_are_those_of_the_records():
    page = PAGE.read_text(encoding="utf-8")
    made = filled(page, Figures.read(HERE / "results"))
    assert made == page, "python -m slad_paper.pages detectors writes it anew"


def test_the_table_lists_the_registry():
    found = listed(PAGE.read_text(encoding="utf-8"))
    assert sorted(found) == sorted(registry.names())
    assert all(good_for for good_for, _ in found.values())


def test_what_is_said_of_training_data_is_what_the_detectors_say():
    for name, (_, kept) in listed(PAGE.read_text(encoding="utf-8")).items():
        if name in registry.names():
            assert kept.startswith("no") == (not registry.make(name).keeps_training_data), name
