from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from slad.core.errors import ConfigError
from slad_paper.runner import printed
from slad_paper.runner.plan import Contender, Run, runs_of
from slad_paper.studies.adbench import STUDY


def test_a_deterministic_detector_runs_once_a_split():
    runs = runs_of("toy", [Contender("knn-5"), Contender("iforest")], ["wine"], [(42, 1), (42, 2)])
    assert [(run.detector, run.model_seed) for run in runs] == [
        ("knn-5", None),
        ("iforest", 1),
        ("iforest", 2),
    ]


def test_every_run_has_a_path_of_its_own():
    contenders = [
        Contender("slad-subspaces"),
        Contender("slad-subspaces", {"epochs": 3}),
        Contender("knn-1"),
    ]
    runs = runs_of("toy", contenders, ["wine", "digits"], [(s, s) for s in range(3)])
    assert len({run.path(Path("x")) for run in runs}) == len(runs) == 18


def test_exceptions_by_dataset_reach_that_dataset_alone_and_keep_the_label():
    exception = {("slad-released", "wine"): {"epochs": 10}}
    runs = runs_of(
        "toy",
        [Contender("slad-released"), Contender("slad-subspaces")],
        ["wine", "digits"],
        [(0, 0)],
        of_dataset=exception,
    )
    epochs = {(run.label, run.dataset): run.make("cpu").epochs for run in runs}
    assert epochs == {
        ("slad-released", "wine"): 10,
        ("slad-released", "digits"): 100,
        ("slad-subspaces", "wine"): 10,
        ("slad-subspaces", "digits"): 10,
    }


def test_contaminations_are_runs_of_their_own_and_the_plain_protocol_is_not_mentioned():
    runs = runs_of("toy", [Contender("knn-1")], ["wine"], [(0, 0)], contaminations=(None, 0.02))
    plain, mixed = (run.identity() for run in runs)
    assert "contamination" not in plain
    assert mixed["contamination"] == 0.02
    assert [run.path(Path("x")).name for run in runs] == [
        "wine-split0.json",
        "wine-anomalies0.02-split0.json",
    ]


def test_a_run_survives_the_way_to_a_worker():
    run = Run(
        "toy", "slad-subspaces", "wine", 1, 2, "slad-subspaces[epochs=3]", {"epochs": 3}, 100, 0.05
    )
    arrived = Run(**json.loads(json.dumps(asdict(run))))
    assert arrived == run
    assert arrived.make("cpu").get_params()["random_state"] == 2


def test_its_identity_holds_all_parameters_but_those_of_the_machine():
    identity = Run("toy", "slad-subspaces", "wine", 1, 2, parameters={"epochs": 3}).identity()
    assert identity["parameters"]["epochs"] == 3
    assert identity["parameters"]["loss"] == "kl"
    assert identity["parameters"]["random_state"] == 2
    assert not {"device", "verbose"} & set(identity["parameters"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("knn1", "did you mean knn-1"),
        ("slad-subspaces[epoch=3]", "no parameter 'epoch'"),
        ("slad[epochs=3", "does not end with"),
        ("slad[epochs]", "not parameter=value"),
    ],
)
def test_a_contender_that_is_none_is_named(text, words):
    with pytest.raises(ConfigError, match=words):
        Contender.parse(text)


def test_a_contender_reads_back_from_its_label():
    contender = Contender.parse("slad-subspaces[epochs=20,loss=kl,patience=null,bias=false]")
    assert contender.parameters == {"epochs": 20, "loss": "kl", "patience": None, "bias": False}
    assert Contender.parse(contender.label) == contender
    assert Contender.parse("slad").label == "slad"


@pytest.mark.data
def test_a_group_stands_for_its_detectors_each_once(data_root):
    runs, _ = STUDY.plan(detectors=["knn-1", "iforest", "paper"], datasets=["45_wine"], seeds=[0])
    others = [name for name in printed.group("paper") or () if name != "iforest"]
    assert [run.detector for run in runs] == ["knn-1", "iforest", *others]
