"""Downloads from a server on this machine that breaks off, lies, or is not there."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import Behaviour, serving
from toys import CONTENT, OTHER, SUM, left, toy

from slad.core.errors import DataError
from slad_paper.datasets import download
from slad_paper.datasets.fetch import fetch
from slad_paper.datasets.store import note_path, verify

# -- when all is well ----------------------------------------------------------------------------


def test_a_file_comes_whole_and_nothing_else_is_left(server, tmp_path):
    seen = []
    (came,) = fetch(toy(server.url), tmp_path, progress=lambda *said: seen.append(said))
    assert left(tmp_path) == {"file.npz": CONTENT}
    assert (came.path, came.bytes, came.sha256) == (tmp_path / "deep/file.npz", len(CONTENT), SUM)
    assert not came.noted
    assert seen[-1] == ("deep/file.npz", len(CONTENT), len(CONTENT))
    assert [have for _, have, _ in seen] == sorted(have for _, have, _ in seen)


def test_a_file_that_is_there_is_checked_and_not_fetched(server, tmp_path):
    fetch(toy(server.url), tmp_path)
    assert fetch(toy(server.url), tmp_path) == []
    assert len(server.asked) == 1


def test_again_fetches_what_is_there(server, tmp_path):
    fetch(toy(server.url), tmp_path)
    (tmp_path / "deep/file.npz").write_bytes(b"spoilt")
    with pytest.raises(DataError, match="--again"):
        fetch(toy(server.url), tmp_path)
    fetch(toy(server.url), tmp_path, again=True)
    assert left(tmp_path) == {"file.npz": CONTENT}


def test_a_server_that_does_not_say_the_length_is_read_to_the_end(server, tmp_path):
    server.length = False
    fetch(toy(server.url, size=None), tmp_path)
    assert left(tmp_path) == {"file.npz": CONTENT}


def test_a_name_and_no_other_word_is_told_to_the_server(server, tmp_path):
    fetch(toy(server.url), tmp_path)
    (headers,) = server.asked
    assert headers["User-Agent"].startswith("slad/")
    assert headers["Accept-Encoding"] == "identity"


# -- broken connections --------------------------------------------------------------------------


def test_a_broken_connection_is_gone_on_with_where_it_broke(server, tmp_path):
    server.cuts = [100_000, 70_000]
    fetch(toy(server.url), tmp_path)
    assert left(tmp_path) == {"file.npz": CONTENT}
    assert [headers.get("Range") for headers in server.asked] == [
        None, "bytes=100000-", "bytes=170000-",
    ]  # fmt: skip
    assert server.asked[1]["If-Range"] == '"one"'


@given(cuts=st.lists(st.integers(1, len(CONTENT)), max_size=6), ranges=st.booleans())
def test_wherever_connections_break_the_file_is_whole_or_not_there(cuts, ranges, tmp_path_factory):
    root = tmp_path_factory.mktemp("cut")
    with serving(Behaviour(CONTENT, cuts=list(cuts), ranges=ranges)) as server:
        try:
            fetch(toy(server.url), root)
            assert left(root) == {"file.npz": CONTENT}
        except DataError:
            assert not ranges  # going on brings the file further every time
            assert "file.npz" not in left(root)


def test_a_server_that_ignores_ranges_starts_over(server, tmp_path):
    server.cuts, server.ranges = [100_000], False
    fetch(toy(server.url), tmp_path)
    assert server.asked[1]["Range"] == "bytes=100000-"
    assert left(tmp_path) == {"file.npz": CONTENT}


def test_a_server_that_always_breaks_off_ends_in_an_error_and_the_next_fetch_goes_on(
    server, tmp_path
):
    server.cuts, server.ranges = [100_000] * 10, False
    with pytest.raises(DataError, match=r"100,000 of 300,000 bytes, 4 times.*goes on"):
        fetch(toy(server.url), tmp_path)
    assert len(server.asked) == 4
    assert left(tmp_path)["file.npz.part"] == CONTENT[:100_000]
    server.cuts, server.ranges = [], True
    fetch(toy(server.url), tmp_path)
    assert server.asked[-1]["Range"] == "bytes=100000-"
    assert left(tmp_path) == {"file.npz": CONTENT}


def test_a_file_changed_at_the_source_in_between_is_started_over(server, tmp_path):
    server.cuts = [100_000] * 10
    server.ranges = False
    with pytest.raises(DataError):
        fetch(toy(server.url), tmp_path)
    new = CONTENT[::-1]
    server.content, server.etag, server.cuts, server.ranges = new, '"two"', [], True
    fetch(toy(server.url, hashlib.sha256(new).hexdigest()), tmp_path)
    assert server.asked[-1]["If-Range"] == '"one"'
    assert left(tmp_path) == {"file.npz": new}


@pytest.mark.parametrize("etag", [None, 'W/"weak"'])
def test_an_old_part_of_another_version_costs_a_second_download_and_no_more(etag, server, tmp_path):
    server.etag = etag
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file.npz.part").write_bytes(b"x" * 1000)
    fetch(toy(server.url), tmp_path)
    assert [headers.get("Range") for headers in server.asked] == ["bytes=1000-", None]
    assert left(tmp_path) == {"file.npz": CONTENT}


def test_an_old_part_is_not_gone_on_with_when_nothing_can_check_it(server, tmp_path):
    server.etag = None
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file.npz.part").write_bytes(b"x" * 1000)
    fetch(toy(server.url, None, None), tmp_path)
    assert "Range" not in server.asked[0]
    assert left(tmp_path)["file.npz"] == CONTENT


@pytest.mark.parametrize("etag", [None, 'W/"weak"'])
def test_a_broken_connection_starts_over_when_nothing_can_check_the_part(etag, server, tmp_path):
    server.etag, server.cuts = etag, [1000]
    fetch(toy(server.url, None, None), tmp_path)
    assert [headers.get("Range") for headers in server.asked] == [None, None]
    assert left(tmp_path)["file.npz"] == CONTENT


@pytest.mark.parametrize("extra", [0, 1, 5000])
def test_an_old_part_as_long_as_the_file_or_longer_does_no_harm(extra, server, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file.npz.part").write_bytes(CONTENT + b"x" * extra)
    fetch(toy(server.url), tmp_path)
    assert left(tmp_path) == {"file.npz": CONTENT}
    assert len(server.asked) == (1 if extra else 0)


def test_a_range_past_the_end_is_answered_by_starting_over(server, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/file.npz.part").write_bytes(CONTENT + b"x")
    fetch(toy(server.url, size=None), tmp_path)
    assert left(tmp_path) == {"file.npz": CONTENT}


# -- wrong files ---------------------------------------------------------------------------------


def test_a_wrong_file_is_named_with_both_checksums_and_is_not_left(server, tmp_path):
    with pytest.raises(DataError) as caught:
        fetch(toy(server.url, OTHER), tmp_path)
    for word in (server.url, OTHER, SUM, "slad data fetch toy --again", str(tmp_path)):
        assert word in str(caught.value)
    assert "file.npz" not in left(tmp_path)
    assert "file.npz.part" not in left(tmp_path)


def test_a_wrong_file_does_not_take_the_place_of_the_old_one(server, tmp_path):
    fetch(toy(server.url), tmp_path)
    server.content = b"y" * len(CONTENT)
    with pytest.raises(DataError, match="another file than expected"):
        fetch(toy(server.url), tmp_path, again=True)
    assert left(tmp_path)["file.npz"] == CONTENT


@pytest.mark.parametrize("length", [True, False])
def test_a_file_of_another_length_is_not_read_to_its_end(length, server, tmp_path):
    server.length = length
    with pytest.raises(DataError, match=r"file of 300,000 bytes and not of 200|longer than 200"):
        fetch(toy(server.url, size=200), tmp_path)
    assert "file.npz" not in left(tmp_path)


def test_a_page_instead_of_the_file_is_an_error(server, tmp_path):
    server.content = b"<html>please log in</html>"
    with pytest.raises(DataError, match="another file than expected"):
        fetch(toy(server.url, size=None), tmp_path)
    assert "file.npz" not in left(tmp_path)


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [403, 404, 410])
def test_a_refusal_is_told_at_once(code, server, tmp_path):
    server.codes = [code]
    with pytest.raises(DataError) as caught:
        fetch(toy(server.url), tmp_path)
    for word in (f"answers {code}", server.url, str(tmp_path / "deep/file.npz"), "SLAD_DATA"):
        assert word in str(caught.value)
    assert len(server.asked) == 1
    assert left(tmp_path) == {}


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_passing_trouble_is_waited_out(code, server, tmp_path):
    server.codes = [code, code]
    fetch(toy(server.url), tmp_path)
    assert left(tmp_path) == {"file.npz": CONTENT}


def test_a_trouble_that_does_not_pass_ends_in_an_error(server, tmp_path):
    server.codes = [500] * 20
    with pytest.raises(DataError, match=r"answers 500 .*4 times"):
        fetch(toy(server.url), tmp_path)


def test_waits_between_tries_grow(server, tmp_path, monkeypatch):
    slept = []
    monkeypatch.setattr(download, "WAITS", (0.5, 1.0, 2.0))
    monkeypatch.setattr(download.time, "sleep", slept.append)
    server.codes = [503] * 3
    fetch(toy(server.url), tmp_path)
    assert slept == [0.5, 1.0, 2.0]


def test_without_a_server_the_error_names_the_url_the_place_and_the_variable(tmp_path):
    with serving(Behaviour(CONTENT)) as gone:
        pass
    start = time.monotonic()
    with pytest.raises(DataError) as caught:
        fetch(toy(gone.url), tmp_path)
    for word in ("toy", gone.url, "nobody answers", str(tmp_path / "deep/file.npz"), "SLAD_DATA"):
        assert word in str(caught.value)
    assert time.monotonic() - start < 5
    assert left(tmp_path) == {}


def test_without_a_name_server_there_is_no_second_try(tmp_path, monkeypatch):
    monkeypatch.setattr(download.time, "sleep", lambda _: pytest.fail("waited"))
    with pytest.raises(DataError, match="nobody answers"):
        fetch(toy("http://nowhere.invalid/file.npz"), tmp_path)


def test_a_file_without_a_url_says_what_it_is_made_from(tmp_path):
    with pytest.raises(DataError, match=r"no direct download.*nowhere. Made by hand"):
        fetch(toy(None), tmp_path)


def test_a_root_that_cannot_be_written_is_named(server, tmp_path):
    (tmp_path / "deep").write_text("a file where a folder should be")
    with pytest.raises(DataError, match=r"cannot be written.*SLAD_DATA"):
        fetch(toy(server.url), tmp_path)


# -- checksums that the catalog does not know ------------------------------------------------------


def test_an_unknown_checksum_is_noted_at_the_first_download_and_checked_from_then_on(
    server, tmp_path
):
    entry = toy(server.url, None, None)
    (came,) = fetch(entry, tmp_path)
    assert came.noted
    path = tmp_path / "deep/file.npz"
    assert note_path(path).read_text() == f"{SUM}  file.npz\n"
    assert verify(entry, tmp_path)
    path.write_bytes(b"spoilt")
    with pytest.raises(DataError, match=SUM):
        verify(entry, tmp_path)
    server.content = b"new version"
    with pytest.raises(DataError, match=r"to accept a new version.*file\.npz\.sha256"):
        fetch(entry, tmp_path, again=True)
    note_path(path).unlink()
    fetch(entry, tmp_path, again=True)
    assert path.read_bytes() == b"new version"
    assert verify(entry, tmp_path)


# -- several at once -------------------------------------------------------------------------------


def test_many_fetches_of_one_file_at_once_bring_it_once(server, tmp_path):
    with ThreadPoolExecutor(6) as pool:
        came = list(pool.map(lambda _: fetch(toy(server.url), tmp_path), range(6)))
    assert sum(len(each) for each in came) == 1
    assert len(server.asked) == 1
    assert left(tmp_path) == {"file.npz": CONTENT}


def test_two_processes_do_not_spoil_each_other_s_file(server, tmp_path):
    server.cuts = [50_000, 60_000, 70_000]
    program = (
        "import sys; from pathlib import Path\n"
        "from slad_paper.datasets.catalog import Entry, File\n"
        "from slad_paper.datasets.fetch import fetch\n"
        "url, sha256, root = sys.argv[1:]\n"
        "file = File('deep/file.npz', url, sha256)\n"
        "facts = ('toy', 'Toy', 'toys', 4, 3, 1, 'free', 'nowhere', 'nobody', 'npz')\n"
        "print(len(fetch(Entry(*facts, files=(file,)), Path(root))))\n"
    )
    words = [sys.executable, "-W", "error", "-c", program, server.url, SUM, str(tmp_path)]
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = [process.communicate()[0].strip() for process in running]
    assert sorted(said) == ["0", "0", "1"]
    assert left(tmp_path) == {"file.npz": CONTENT}
