"""What the catalog says, against itself and against the files that are there."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import PurePosixPath

import pytest

from slad.core.errors import ConfigError
from slad_paper.datasets import find, groups, load, load_series, names
from slad_paper.datasets.catalog import File, parse
from slad_paper.datasets.readers import READERS
from slad_paper.datasets.readers.series import SERIES_READERS
from slad_paper.datasets.store import is_here, verify

GROUPS = ["paper", "adbench", "mvtec", "nlp", "fmnist", "embedded", "synthetic", "series", "skab"]
SHA256 = re.compile("[0-9a-f]{64}")
COMMIT = re.compile(r"https://raw\.githubusercontent\.com/[\w-]+/[\w-]+/[0-9a-f]{40}/\S+")
ALL = names()
SERIES = names("series") + names("skab")

SMALLEST = """
[one]
title = "{part} of {name}"
reader = "npz"
file = "one/{name}.npz"
url = "{there}/{file}"
licence = "free"
source = "nowhere"
citation = "nobody"
[places]
there = "https://example.org"
[one.sets]
a-b = { rows = 3, features = 2, anomalies = 1 }
c_d = { rows = 3, features = 2, anomalies = 1, url = "", title = "another", options = { seed = 1 } }
"""


def test_the_groups_are_the_promised_ones_with_the_promised_numbers_of_datasets():
    assert groups() == GROUPS
    counts = {group: len(names(group)) for group in GROUPS}
    assert counts["adbench"] == 47
    assert counts["mvtec"] == 15
    assert counts["fmnist"] == 10
    assert counts["paper"] == 9  # the tenth is the mean of mvtec
    assert counts["series"] == 7
    assert counts["skab"] == 34
    assert sum(counts.values()) == len(ALL) == len(set(ALL))


def test_adbench_is_numbered_from_1_to_47():
    assert [int(name.split("_")[0]) for name in names("adbench")] == list(range(1, 48))


@pytest.mark.parametrize("name", ALL)
def test_an_entry_is_complete(name):
    entry = find(name)
    assert entry.name == name
    assert 0 < entry.anomalies < entry.rows
    assert entry.features > 0
    for text in (entry.title, entry.licence, entry.source, entry.citation):
        assert text.strip()
        assert "{" not in text
    assert entry.reader in (SERIES_READERS if name in SERIES else READERS)
    assert entry.kind == ("series" if name in SERIES else "table")
    assert (entry.file is None) == (entry.group in ("embedded", "synthetic"))


@pytest.mark.parametrize("name", [name for name in ALL if find(name).files])
def test_a_file_has_a_plain_path_and_a_url_that_cannot_change_or_a_note_why_not(name):
    entry = find(name)
    for file in entry.files:
        path = PurePosixPath(file.path)
        assert not path.is_absolute()
        assert ".." not in path.parts
        for checksum in file.checksums:
            assert SHA256.fullmatch(checksum)
        if file.url is None:
            assert entry.note
            assert file.sha256
        elif entry.group == "fmnist":
            assert file.sha256  # no https there: the checksum is what protects
        else:
            assert COMMIT.fullmatch(file.url), file.url


def test_converted_and_rebuilt_files_have_no_url_and_say_what_they_are_made_from():
    without = {name for name in ALL if find(name).files and find(name).url is None}
    with_url = {"omi-1", "msl-gdn"}
    assert without == {"3_backdoor", "thrombin", "unsw-nb15-dos"} | set(SERIES) - with_url
    assert find("unsw-nb15-dos").note.startswith("rebuilt:")
    assert "rebuilt" in find("unsw-nb15-dos").title


def test_datasets_share_a_checksum_only_where_they_are_meant_to_be_the_same_file():
    by_sum = defaultdict(set)
    for name in ALL:
        if find(name).group != "fmnist" and find(name).sha256:
            by_sum[find(name).sha256].add(name)
    shared = {frozenset(same) for same in by_sum.values() if len(same) > 1}
    assert shared == {
        frozenset({"waveform", "41_Waveform"}),
        frozenset({"pageblocks", "27_PageBlocks"}),
        frozenset({"bank", "5_campaign"}),
    }


def test_one_path_is_always_one_file():
    by_path = defaultdict(set)
    for name in ALL:
        for file in find(name).files:
            by_path[file.path].add((file.sha256, file.bytes, file.url))
    assert all(len(said) == 1 for said in by_path.values())


def test_several_files_have_the_checksum_of_their_checksums():
    entry = find("fmnist-3")
    assert len(entry.files) == 4
    joined = "".join(file.sha256 for file in entry.files)
    assert entry.sha256 == hashlib.sha256(joined.encode()).hexdigest()
    assert entry.bytes == sum(file.bytes for file in entry.files)


def test_a_dataset_with_a_checksum_unknown_has_none():
    assert find("amazon").sha256 is None
    assert find("amazon").bytes is None
    assert find("digits").sha256 is None


def test_an_entry_says_what_its_group_does_not_and_overrides_what_it_does():
    first, second = parse(SMALLEST)
    assert first.title == "b of a-b"
    assert first.files == (File("one/a-b.npz", "https://example.org/a-b.npz"),)
    assert second.title == "another"
    assert second.url is None
    assert dict(second.options) == {"seed": 1}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("e = { rows = 3, features = 2 }", "anomalies"),
        ("e = { rows = 3, features = 2, anomalies = 1, lisence = '' }", "lisence"),
        ("e = { rows = 3, features = 2, anomalies = 1, file = '{nonsense}' }", "nonsense"),
    ],
)
def test_an_entry_that_lacks_or_misspells_something_is_named(line, said):
    with pytest.raises(ConfigError, match=rf"'e' in \[one\.sets\].*{said}"):
        list(parse(SMALLEST + line))


def test_an_unknown_name_or_group_gets_the_nearest_ones():
    with pytest.raises(ConfigError, match="did you mean 38_thyroid"):
        find("38_thyriod")
    with pytest.raises(ConfigError, match="did you mean adbench"):
        names("adbnech")


def test_the_catalog_needs_no_numpy():
    program = (
        "import sys, slad_paper.datasets as d\n"
        "assert d.find('digits') and d.data_root() and 'load' in dir(d)\n"
        "heavy = {'numpy', 'scipy', 'sklearn', 'torch'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.data
@pytest.mark.parametrize("name", [name for name in ALL if find(name).files])
def test_a_file_that_is_here_has_its_checksum_and_loads_as_described(name, data_root):
    entry = find(name)
    if not is_here(entry, data_root):
        pytest.skip(f"{entry.file} is not under the data root")
    assert verify(entry, data_root) or entry.sha256 is None
    if name in SERIES:
        series = load_series(name, root=data_root, download=False)
        assert len(series.train) + len(series.test) == entry.rows
        assert series.labels.sum() == entry.anomalies
        assert len(series.channels) == series.test.shape[1] == entry.features
    else:
        data = load(name, root=data_root, download=False)
        assert data.X.shape == (entry.rows, entry.features)
        assert data.y.sum() == entry.anomalies
        assert len(data.columns) == entry.features
    for file in entry.files:
        if file.bytes and not file.also:
            assert (data_root / file.path).stat().st_size == file.bytes


@pytest.mark.data
def test_every_table_that_is_here_is_in_the_catalog(data_root):
    known = {file.path for name in ALL for file in find(name).files}
    folders = {PurePosixPath(path).parts[0] for path in known}
    there = {
        str(path.relative_to(data_root).as_posix())
        for folder in folders
        for path in (data_root / folder).glob("*")
        if path.suffix in (".npz", ".csv", ".gz")
    }
    assert there - known == set()


@pytest.mark.data
@pytest.mark.parametrize(
    ("one", "other"),
    [("waveform", "41_Waveform"), ("pageblocks", "27_PageBlocks"), ("thyroid", "38_thyroid")],
)
def test_datasets_that_are_said_to_be_equal_are(one, other, data_root):
    if not all(is_here(find(name), data_root) for name in (one, other)):
        pytest.skip(f"{one} or {other} is not under the data root")
    first, second = (load(name, root=data_root, download=False) for name in (one, other))
    assert (first.X == second.X).all()
    assert (first.y == second.y).all()
