"""benchmarks/rivals.py with made-up peers: fair settings, nothing leaks, records name no place."""

from __future__ import annotations

import importlib
import json
import random
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch

from slad_paper.runner import peers

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PEER = """
import random, sys, warnings
import numpy as np
import torch

class Peer:
    def __init__(self, epochs=0, random_state=0, device="cpu", verbose=0, stop_epochs=0):
        self.epochs = epochs
        torch.manual_seed(random_state); np.random.seed(random_state); random.seed(random_state)

    def fit(self, X):
        print("Epoch 1 of 1"); print("bar", file=sys.stderr); warnings.warn("loud")
        torch.set_num_threads(1)
        self.center = X.mean(axis=0)
        return self

    def decision_function(self, X):
        return ((X - self.center) ** 2).sum(axis=1)[:, None]
"""


@pytest.fixture
def bench(monkeypatch):
    if not BENCHMARKS.is_dir():
        pytest.skip("the benchmarks are in the repository only")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("rivals")
    monkeypatch.setattr(module, "ROWS", 300)
    monkeypatch.setattr(module, "FEATURES", 4)
    return module


@pytest.fixture
def peer(bench, tmp_path, monkeypatch):
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers" / "made_up_peer.py").write_text(PEER)
    made_up = {"dsvdd": "made_up_peer:Peer", "nobody": "made_up_peer:Peer"}
    monkeypatch.setattr(peers, "CLASSES", made_up | {"iforest": "not_installed:Peer"})
    monkeypatch.setitem(peers.SETTINGS, "dsvdd", {"verbose": 0})
    rival = bench.Rival("dsvdd", {"epochs": 1, "batch_size": 64})
    rivals = (rival, bench.Rival("nobody"), rival_of_iforest(bench))
    monkeypatch.setattr(bench, "RIVALS", rivals)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path / "peers"


def rival_of_iforest(bench):
    return bench.Rival("iforest", {"epochs": 3})


def test_both_sides_are_timed_and_what_is_missing_is_said(bench, peer, tmp_path, capsys):
    words = ["--peer", str(peer), "--repeats", "1", "--results", str(tmp_path / "speed")]
    before = torch.initial_seed(), random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    bench.main(words)
    assert torch.initial_seed() == before[0]
    assert random.getstate() == before[1]
    assert np.random.get_state()[1].tolist() == before[2]  # noqa: NPY002
    shown = capsys.readouterr()
    assert "Epoch" not in shown.out
    assert "bar" not in shown.err
    assert "nobody: not here yet, left out" in shown.err
    assert "iforest: not_installed:Peer cannot be imported" in shown.err
    record = json.loads((tmp_path / "speed" / "rivals-cpu.json").read_text())
    assert record["environment"]["command"] == (
        "python benchmarks/rivals.py --peer DIR --repeats 1 --results paper/results/speed"
    )
    found = record["result"]["rivals"]
    assert set(found) == {"dsvdd", "iforest"}
    ratio = found["dsvdd"]["ratio"]["fit + score"]
    theirs, ours = (found["dsvdd"][who]["seconds"]["fit + score"] for who in ("peer", "slad"))
    assert ratio == pytest.approx(theirs / ours)
    assert 0.5 < found["dsvdd"]["peer"]["auc_roc"] <= 1
    assert "peer" not in found["iforest"]


def test_scores_of_the_other_sign_are_turned_round(bench, peer):
    problem = bench.Problem.draw(300, 4)
    sys.path.insert(0, str(peer))
    aucs = []
    for sign in (True, False):
        rival = bench.Rival("dsvdd", {}, higher_is_stranger=sign)
        cls = bench.peer_class("dsvdd")
        aucs += bench.time_peer(rival, cls, problem, 0, torch.device("cpu")).auc
    assert aucs[0] == pytest.approx(1 - aucs[1])


def test_ours_take_the_settings_that_they_have(bench):
    rival = bench.Rival("dsvdd", bench.TRAINED)
    detector = bench.ours_of(rival, 3, torch.device("cpu"))
    assert (detector.epochs, detector.batch_size, detector.random_state) == (10, 128, 3)
    assert bench.ours_of(rival_of_iforest(bench), 3, torch.device("cpu")).random_state == 3


def test_a_stack_of_seeds_gives_scores_of_each(bench):
    problem = bench.Problem.draw(200, 4)
    rival = bench.Rival("dsvdd", {"epochs": 1})
    timing = bench.time_ours(rival, problem, range(3), torch.device("cpu"))
    assert len(timing.fit) == len(timing.score) == 1
    assert len(timing.auc) == 3


def test_costs_are_of_the_defaults_on_one_core(bench, tmp_path, capsys):
    threads = torch.get_num_threads()
    words = ["--cases", "cost", "--only", "ecod", "iforest", "--repeats", "1"]
    bench.main([*words, "--results", str(tmp_path)])
    found = json.loads((tmp_path / "cost-cpu.json").read_text())["result"]
    assert list(found["detectors"]) == ["ecod", "iforest"]
    assert found["detectors"]["ecod"]["seconds"]["fit"] > 0
    assert "iforest" in capsys.readouterr().out
    assert torch.get_num_threads() == threads


def test_stand_ins_serve_where_the_peers_libraries_are_missing(monkeypatch):
    missing = {"tqdm", "numba"}
    for name in missing:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    peers.provide_missing()
    assert all(find_spec(name) for name in missing)  # torch asks so, and fails on one without
    monkeypatch.setattr(peers, "find_spec", find_spec)
    before = {name: sys.modules[name] for name in missing}
    peers.provide_missing()
    assert before == {name: sys.modules[name] for name in missing}
    from tqdm import tqdm, trange

    assert list(trange(3)) == [0, 1, 2]
    bar = tqdm([1, 2], desc="x")
    bar.set_postfix(loss=1)
    assert list(bar) == [1, 2]
    from numba import njit

    assert njit(len) is len
    assert njit(cache=True)(len) is len
