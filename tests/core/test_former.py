"""Names of 0.1 go on working: every alias, and models and findings that 0.1.0 wrote.

The files in `former/` were written by slad 0.1.0 itself.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import slad
from slad.cli import main
from slad.core import former
from slad.core.errors import ArtifactError
from slad.detectors import DETECTORS, registry

HERE = Path(__file__).parent / "former"
WRITTEN = json.loads((HERE / "expected.json").read_text())
EXPECTED = WRITTEN["expected"]
TODAY = {"neighbors": "NeighborScale", "subspaces": "SLAD", "released": "SLAD", "knn": "KNN"}
TABLES = {"table-neighbors": "neighbor-scale", "table-subspaces": "slad-subspaces"}


@pytest.mark.parametrize("name", TODAY)
def test_a_detector_saved_by_0_1_is_of_today_s_class_and_scores_as_it_did(name):
    detector = slad.load(HERE / f"{name}.slad")
    assert type(detector).__name__ == TODAY[name]
    scores = detector.anomaly_score(np.array(WRITTEN["X"]))
    np.testing.assert_allclose(scores, EXPECTED[name]["scores"], rtol=1e-5, atol=1e-7)


def test_a_class_loads_what_it_was_called_in_0_1_and_no_other():
    assert isinstance(slad.SLAD.load(HERE / "released.slad"), slad.SLAD)
    with pytest.raises(ArtifactError, match="holds a NeighborScale, not a SLAD"):
        slad.SLAD.load(HERE / "neighbors.slad")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_model_saved_by_0_1_judges_and_explains_as_it_did(name):
    model = slad.TableDetector.load(HERE / f"{name}.slad", device="cpu")
    assert model.detector == TABLES[name]
    judgement = model.judge(HERE / "orders.csv")
    expected = EXPECTED[name]
    np.testing.assert_allclose(judgement.scores[:12], expected["scores"], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(judgement.pvalues[:12], expected["pvalues"], rtol=1e-6)
    found = [row.sentence for row in model.explain(HERE / "orders.csv", judgement.order[:3])]
    assert found == expected["sentences"]


def test_findings_written_by_0_1_become_a_page(tmp_path):
    manifest = tmp_path / "findings.manifest.json"
    manifest.write_bytes((HERE / "findings.manifest.json").read_bytes())
    assert main(["report", str(manifest), "--out", str(tmp_path / "page.html")]) == 0
    assert "k0051" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("name", former.RECIPES)
def test_a_former_registry_name_makes_what_it_made(name):
    today, parameters = former.RECIPES[name]
    made = registry.make(name)
    assert made.get_params() == registry.make(today, **parameters).get_params()
    assert name not in registry.names()


def test_former_classes_and_labels_name_things_of_today():
    assert set(former.CLASSES.values()) <= DETECTORS.keys()
    assert set(former.LABELS.values()) <= set(registry.names())
    for name, today in former.PUBLIC.items():
        assert getattr(slad, name) is getattr(slad, today)
