"""slad fit: a model file and its manifest."""

from __future__ import annotations

import json
from pathlib import Path


def test_a_fit_notes_what_it_did_beside_the_model(slad, model):
    found = json.loads(Path("m.manifest.json").read_text())
    assert found["input"]["sha256"]
    assert found["versions"]["numpy"]
    assert found["command"].startswith("slad fit ")
    assert {c["name"]: c["used"] for c in found["columns"]} == {
        "order": False, "item": True, "price": True, "weight": True, "fraud": False,
    }  # fmt: skip
    assert "9.0" not in json.dumps(found["columns"])


def test_a_model_needs_a_file_to_go_to(slad, normal):
    done = slad("fit", normal)
    assert done.code == 2
    assert "--out MODEL" in done.err
