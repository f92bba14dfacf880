"""Facts about a run and a model, as findings and manifests hold them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from made_up_orders import FAST, orders

from slad import TableDetector
from slad.core.version import __version__
from slad.model import facts
from slad.model.facts import facts_of_model, facts_of_run, model_facts, run_facts


@pytest.fixture
def fitted() -> TableDetector:
    return TableDetector(FAST, level=0.05, random_state=7).fit(orders(60))


def test_a_run_ends_now_in_coordinated_time() -> None:
    created = facts_of_run("slad fit", {}).created
    assert created.endswith("Z")
    assert abs(datetime.now(UTC) - datetime.fromisoformat(created)) < timedelta(minutes=1)


def test_a_run_names_its_command_its_steps_and_every_version() -> None:
    run = run_facts("slad fit orders.csv", {"read": 0.12345, "fit": 2.0})
    assert run["command"] == "slad fit orders.csv"
    assert run["seconds"] == {"read": 0.123, "fit": 2.0}
    assert run["slad"] == __version__
    assert list(run["versions"]) == ["python", *facts.LIBRARIES]
    assert json.loads(json.dumps(run)) == run


def test_a_library_without_a_version_is_left_out(monkeypatch) -> None:
    monkeypatch.setattr(facts, "LIBRARIES", ("numpy", "vendored-by-hand"))
    assert list(facts_of_run("slad", {}).versions) == ["python", "numpy"]


def test_a_model_names_its_seed_its_detector_and_its_calibration(fitted) -> None:
    found = model_facts(fitted)
    assert found["seed"] == 7
    assert found["detector"] == {"name": FAST, "parameters": {}}
    assert found["calibration"] == {"kind": "cross", "folds": 5, "rows": 60, "clean": False}
    assert json.loads(json.dumps(found)) == found


def test_the_rule_is_the_one_that_decides_now_with_its_guarantee(fitted) -> None:
    before = facts_of_model(fitted).rule
    fitted.set_params(rule="top", level=3)
    after = facts_of_model(fitted).rule
    assert (before.kind, before.value) == ("fpr", 0.05)
    assert (after.kind, after.value) == ("top", 3)
    assert after.sentence == fitted.make_rule().sentence(fitted.calibration_)
    assert after.sentence != before.sentence
