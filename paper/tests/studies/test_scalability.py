"""The scalability test: who is timed at which size, and what is skipped for taking too long."""

from __future__ import annotations

import json
import sys
from typing import ClassVar

import numpy as np
import pytest
import torch

from slad.core.errors import ResourceError
from slad_paper.runner import peers
from slad_paper.studies import scalability
from slad_paper.studies.scalability import PeerTimer, Timer

CPU = torch.device("cpu")


class Clockwork:
    """A detector whose fit takes `pace` seconds a row, by a clock that nobody waits for."""

    log: ClassVar[list[tuple[str, int]]] = []
    clock = 0.0

    def __init__(self, name: str, pace: float) -> None:
        self.name, self.pace = name, pace

    def fit(self, rows: np.ndarray) -> None:
        Clockwork.log.append((self.name, len(rows)))
        Clockwork.clock += self.pace * len(rows)

    def anomaly_score(self, rows: np.ndarray) -> None:
        Clockwork.clock += 0.001


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(Clockwork, "log", [])

    def seconds(work, device):
        start = Clockwork.clock
        work()
        return Clockwork.clock - start

    monkeypatch.setattr(scalability, "seconds", seconds)


def timer(name: str, pace: float, kind: type[Timer] = Timer) -> Timer:
    return kind(lambda seed, epochs: Clockwork(name, pace), "anomaly_score", CPU, limit=10.0)


def run_sizes(timers: dict[str, Timer], sizes: list[int]) -> list[dict]:
    found = []
    for size in sizes:
        scalability._by_turns(timers, size, 2, 10, repeats=3)
        found.append({name: timer.found for name, timer in timers.items()})
    return found


@pytest.mark.usefixtures("clock")
def test_larger_sizes_are_skipped_once_one_took_longer_than_the_limit():
    cells = run_sizes({"slow": timer("slow", 0.1), "fast": timer("fast", 0.001)}, [50, 150, 300])
    assert [list(cell["slow"]) for cell in cells] == [["fit", "score"]] * 2 + [["skipped"]]
    assert cells[2]["slow"]["skipped"] == "15.0 s at 150 x 2, over 10 s"
    assert len(cells[2]["fast"]["fit"]) == 3


@pytest.mark.usefixtures("clock")
def test_short_cells_are_repeated_by_turns_and_long_ones_are_not():
    run_sizes({"slow": timer("slow", 0.1), "fast": timer("fast", 0.001)}, [50])
    assert [name for name, _ in Clockwork.log] == ["slow", "fast", "fast", "fast"]
    Clockwork.log.clear()
    run_sizes({"one": timer("one", 0.001), "two": timer("two", 0.001)}, [50])
    assert [name for name, _ in Clockwork.log] == ["one", "two"] * 3


class Refused:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def fit(self, rows: np.ndarray) -> None:
        raise self.error


def failing(kind: type[Timer], error: Exception) -> Timer:
    return kind(lambda seed, epochs: Refused(error), "anomaly_score", CPU, 10.0)


def test_a_table_too_large_is_recorded_and_ends_the_line():
    cells = run_sizes({"wide": failing(Timer, ResourceError("needs 90 GB"))}, [50, 60])
    assert cells[0]["wide"] == {"failed": "ResourceError: needs 90 GB"}
    assert cells[1]["wide"] == {"skipped": "failed at 50 x 2: needs 90 GB"}


@pytest.mark.usefixtures("clock")
def test_a_slow_warm_up_counts_for_nothing_and_a_failing_one_ends_the_line():
    slow, broken = timer("slow", 0.1), failing(PeerTimer, ValueError("no such kernel"))
    scalability._warm_up({"slow": slow, "broken": broken}, d=2)
    assert slow.stopped == ""
    assert broken.stopped == "failed at 200 x 2: no such kernel"


def test_a_mistake_of_ours_is_raised_and_one_of_a_peer_is_recorded():
    with pytest.raises(ValueError, match="ours"):
        run_sizes({"ours": failing(Timer, ValueError("ours"))}, [50])
    cells = run_sizes({"peer": failing(PeerTimer, ValueError("theirs"))}, [50])
    assert cells[0]["peer"] == {"failed": "ValueError: theirs"}


def test_a_peer_is_cut_off_at_the_limit_and_a_bound_is_kept():
    class Endless:
        def fit(self, rows: np.ndarray) -> None:
            while True:
                np.sort(rows, axis=0)

    slow = PeerTimer(lambda seed, epochs: Endless(), "anomaly_score", CPU, limit=0.1)
    cells = run_sizes({"peer": slow}, [50, 60])
    assert cells[0]["peer"] == {"over": 0.1}
    assert cells[1]["peer"] == {"skipped": "over 0.1 s at 50 x 2"}


def test_cases_are_of_either_device_and_name_what_the_result_depends_on():
    cases = scalability.cases(quick=False)
    assert len({case.name for case in cases}) == len(cases)
    assert {case.device for case in cases} == {"cpu", "cuda"}
    settings = next(case for case in cases if case.name == "rows-cuda-mo-gaal").settings
    assert settings["shapes"][0] == [4000, 32]
    assert settings["shapes"][-1] == [256_000, 32]
    assert settings["epochs"] == peers.GAAL_EPOCHS
    wide = next(case for case in cases if case.name == "features-cpu-slad-subspaces").settings
    assert (wide["shapes"][-1], wide["epochs"]) == ([5_000, 4096], 10)
    json.dumps([dict(case.settings) for case in cases])


PEER = """
class Peer:
    def __init__(self, epochs, random_state, device):
        self.epochs = epochs

    def fit(self, rows):
        return self

    def decision_function(self, rows):
        return rows[:, 0]
"""


@pytest.fixture
def peer_folder(tmp_path, monkeypatch):
    (tmp_path / "made_up_rival.py").write_text(PEER)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(peers.CLASSES, "dsvdd", "made_up_rival:Peer")
    monkeypatch.setitem(peers.SETTINGS, "dsvdd", {})
    monkeypatch.setenv(peers.PEERS, str(tmp_path))
    peers.peers_folder.cache_clear()
    yield
    peers.peers_folder.cache_clear()


def quick_case():
    cases = scalability.cases(quick=True)
    return next(case for case in cases if case.name == "rows-cpu-dsvdd")


@pytest.mark.usefixtures("peer_folder")
def test_a_peer_in_the_folder_is_timed_beside_ours(capsys):
    result = scalability.run(quick_case(), "cpu")
    assert result["peer"] == "made_up_rival:Peer"
    assert [cell["rows"] for cell in result["cells"]] == [500, 1000]
    for cell in result["cells"]:
        assert len(cell["peer"]["fit"]) == len(cell["ours"]["fit"]) == 3
    assert "rows-cpu-dsvdd, 1,000 x 32: ours" in capsys.readouterr().err


def test_without_a_folder_there_is_no_peer(monkeypatch):
    monkeypatch.delenv(peers.PEERS, raising=False)
    peers.peers_folder.cache_clear()
    result = scalability.run(quick_case(), "cpu")
    assert result["peer"] is None
    assert set(result["cells"][0]) == {"rows", "features", "ours"}
