"""The study of streamed and shared fits: its cases, and the command that it runs."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from slad.core.errors import DataError
from slad.model import TableDetector
from slad_paper.studies import sharded

SUBSPACES = ("--detector", "slad-subspaces")


def test_no_seed_of_a_fit_is_in_two_cases_and_a_quick_look_has_few():
    seeds = [
        (case.settings["dataset"], case.settings["detector"], seed)
        for case in sharded.cases(quick=False)
        if "ways" in case.settings
        for seed in case.settings["seeds"]
    ]
    assert len(set(seeds)) == len(seeds)
    assert len({case.name for case in sharded.cases(False)}) == len(sharded.cases(False))
    assert len(sharded.cases(True)) == 3


def test_the_training_rows_are_cut_into_files_without_a_loss(tmp_path):
    table = sharded._table(np.arange(60.0).reshape(30, 2))
    sharded._write(table, tmp_path / "train")
    assert len(list((tmp_path / "train").iterdir())) == sharded.FILES
    assert parquet.read_table(tmp_path / "train").sort_by("c0").equals(table)


def test_the_command_gives_a_model_and_its_memory_and_says_why_it_fails(tmp_path):
    settings = {"rows": 0, "columns": 3}
    sharded._write(sharded._made_up(240, settings, 0), tmp_path / "train")
    peak = sharded._slad_fit(tmp_path, "cpu", 1, [*SUBSPACES, "--set", "n_groups=2"])
    assert 2**26 < peak < 2**33
    assert TableDetector.load(tmp_path / "m.slad", device="cpu").training_["rows"] == 240
    parquet.write_table(pa.table({"c0": ["text"]}), tmp_path / "train" / "9.parquet")
    with pytest.raises(DataError, match="column 'c0' holds string, and double in"):
        sharded._slad_fit(tmp_path, "cpu", 1, SUBSPACES)
