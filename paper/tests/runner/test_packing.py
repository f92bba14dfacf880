"""Many records in one file a detector: nothing is lost, nothing is run again."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import plans
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up_records import record, write
from slad.core.errors import DataError
from slad_paper.pages.records import read
from slad_paper.runner.packing import pack, packed
from slad_paper.runner.plan import Contender
from slad_paper.runner.running import carry_out

RUNS = [record("knn-1", "thyroid"), record("slad[epochs=3]", "thyroid", 0.8, model=43)]


def test_packed_records_read_as_they_did_before(tmp_path):
    folder = write(tmp_path, *RUNS)
    before = read(folder)
    pack(folder)
    assert read(folder) == before
    assert sorted(path.name for path in folder.iterdir()) == ["knn-1.jsonl", "slad[epochs=3].jsonl"]


def test_more_records_join_those_that_are_packed_and_a_new_one_replaces_its_own(tmp_path):
    folder = write(tmp_path, *RUNS)
    pack(folder)
    write(tmp_path, record("knn-1", "waveform"), record("knn-1", "thyroid", 0.7))
    assert len(read(folder)) == 3  # before they are packed, too
    pack(folder)
    found = {each.dataset: each.metrics["auc_roc"] for each in read(folder)[:2]}
    assert found == {"thyroid": 0.7, "waveform": 0.9}


def test_what_is_packed_is_not_run_again(tmp_path):
    runs = plans.plan(1, [Contender("knn-1")])
    first = carry_out(runs, tmp_path, workers=1, device="cpu")
    before = packed(tmp_path)
    again = carry_out(runs, tmp_path, workers=1, device="cpu")
    assert (first.present, again.present) == (0, len(runs))
    assert packed(tmp_path) == before


def test_a_damaged_line_is_named(tmp_path):
    folder = write(tmp_path, *RUNS)
    pack(folder)
    (folder / "knn-1.jsonl").write_text("{}\n")
    with pytest.raises(DataError, match=r"knn-1.jsonl, line 1"):
        read(folder)


NAMES = st.sampled_from("abc")
PLAIN = st.none() | st.booleans() | st.sampled_from([0, 1, 1.0, 2.5, "x"])
RECORD = st.dictionaries(NAMES, st.recursive(PLAIN, lambda v: st.dictionaries(NAMES, v)))


@given(st.lists(RECORD, min_size=1, max_size=4))
def test_what_all_records_say_stands_in_the_first_line_alone_and_comes_back(records):
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "knn-1").mkdir()
        for number, each in enumerate(records):
            path = folder / "knn-1" / f"{number}-split0.json"
            path.write_text(json.dumps(each | {"said": {"by": "all"}}))
        pack(folder)
        found = packed(folder)
        assert [found[path] for path in sorted(found)] == [
            r | {"said": {"by": "all"}} for r in records
        ]
        assert (folder / "knn-1.jsonl").read_text().count('"by":"all"') == 1
