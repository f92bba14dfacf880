"""The processes of a job: what they exchange, and what is said when one dies."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from slad.core.errors import ConfigError
from slad.core.state import State
from slad.engines import ranks
from slad.engines.ranks import LostRankError, Processes, Ranks

STATE = State(
    {"name": "größe", "rows": 3, "nothing": None},
    {"turned": np.arange(6.0).reshape(2, 3).T, "empty": np.empty((0, 4)), "one": np.array([True])},
)


def assert_same(one: State, other: State) -> None:
    assert one.values == other.values
    assert one.arrays.keys() == other.arrays.keys()
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(array, other.arrays[name])
        assert array.dtype == other.arrays[name].dtype


@pytest.fixture
def alone(monkeypatch, own_sigterm) -> Iterator[Ranks]:
    """The only process of a job that torchrun started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {"RANK": 0, "LOCAL_RANK": 0, "WORLD_SIZE": 1, "MASTER_ADDR": "127.0.0.1"}
    for name, value in (environment | {"MASTER_PORT": port, "GLOO_SOCKET_IFNAME": "lo"}).items():
        monkeypatch.setenv(name, str(value))
    made = Ranks("cpu")
    yield made
    made.close()


def test_a_state_is_the_same_after_the_way_to_another_process():
    assert_same(ranks._unpacked(ranks._packed(*STATE)), STATE)


def test_one_process_has_only_its_own_state_and_its_own_sums():
    tensor = torch.tensor([1.0, 2.0])
    Processes().total(tensor)
    assert tensor.tolist() == [1.0, 2.0]
    assert Processes().gather(STATE) == [STATE]


def test_a_job_of_one_process_exchanges_what_a_process_alone_has(alone):
    one, table = torch.tensor(7.0), torch.arange(6.0).reshape(2, 3)
    alone.total(one, table)
    assert (one.item(), table.tolist()) == (7.0, [[0, 1, 2], [3, 4, 5]])
    [gathered] = alone.gather(STATE)
    assert_same(gathered, STATE)


def broken() -> None:
    raise RuntimeError("Connection closed by peer")


def test_the_first_survivor_names_the_dead_and_says_how_to_resume(alone, monkeypatch):
    monkeypatch.setattr(ranks, "ROLL_CALL", 0.1)
    monkeypatch.setattr(alone, "world", 4)
    alone.hint = "start again"
    alone._store.set("here/2", "yes")
    with pytest.raises(LostRankError, match=r"^rank 1 and rank 3 of 4 died: start again$"):
        alone._exchange(broken)


def test_the_other_survivors_end_without_a_word(alone, monkeypatch, capsys):
    monkeypatch.setattr(ranks, "ROLL_CALL", 0.1)
    monkeypatch.setattr(alone, "world", 3)
    monkeypatch.setattr(alone, "rank", 1)
    alone._store.set("here/0", "yes")
    with pytest.raises(SystemExit) as stop:
        alone._exchange(broken)
    assert stop.value.code == 1
    assert capsys.readouterr() == ("", "")


def test_a_job_that_breaks_down_with_everyone_alive_was_stopped(alone):
    with pytest.raises(LostRankError, match=r"^the job was stopped: start the same command again$"):
        alone._exchange(broken)


def test_more_processes_than_gpus_are_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(ConfigError, match="process 2 of this machine has no GPU, there are 2"):
        ranks._take_own_gpu(2)
