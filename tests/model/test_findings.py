"""Findings are the manifest: the same JSON, read back with errors that name the place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from slad.core.errors import DataError
from slad.model import Findings

FORMER = Path(__file__).parents[1] / "core" / "former" / "findings.manifest.json"


@pytest.fixture
def manifest() -> dict[str, Any]:
    """A manifest that slad 0.1.0 wrote."""
    values: dict[str, Any] = json.loads(FORMER.read_text("utf-8"))
    return values


def test_a_manifest_comes_back_with_the_same_keys_values_and_order(manifest) -> None:
    again = Findings.from_json(manifest).to_json()
    assert again == manifest
    assert json.dumps(again) == json.dumps(manifest)


def at(values: Any, place: tuple[str | int, ...]) -> Any:
    for key in place:
        values = values[key]
    return values


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("format",), 2, "kind='findings', format=2, expected kind='findings', format=1"),
        (("kind",), "model", "kind='model'"),
        (("title",), 3, r"findings\.title is 3, expected text"),
        (("counts", "rows"), "many", r"findings\.counts\.rows is 'many', expected a whole number"),
        (("counts", "flagged"), True, r"findings\.counts\.flagged is True, expected a whole"),
        (("rows", 0, "score"), None, r"findings\.rows\[0\]\.score is None, expected a finite"),
        (("rows", 0, "score"), float("nan"), r"rows\[0\]\.score is nan, expected a finite number"),
        (("rows", 0, "flagged"), 1, r"rows\[0\]\.flagged is 1, expected true or false"),
        (("rows", 0, "values", 1), ["a"], r"rows\[0\]\.values\[1\] has 1 entries, expected 2"),
        (("rows", 0, "reasons", 0, "columns"), [], r"reasons\[0\] has 0 columns but 1 values"),
        (("scores", "judged"), [1, 2], r"findings\.scores has 61 edges for 2 counts"),
        (("columns", 1, "shape"), {"edges": [0]}, r"columns\[1\]\.shape lacks counts"),
        (("columns", 1, "shape", "counts"), [], r"columns\[1\]\.shape has 25 edges for 0 counts"),
        (("columns", 1, "shape", "edges", 3), 0, r"columns\[1\]\.shape has edges that do not"),
        (("checks",), {}, r"findings\.checks is \{\}, expected a list"),
        (("seconds", "fit"), "1 s", r"findings\.seconds\.fit is '1 s', expected a finite number"),
    ],
)
def test_a_wrong_value_is_named_with_its_place(manifest, place, value, message) -> None:
    at(manifest, place[:-1])[place[-1]] = value
    with pytest.raises(DataError, match=message):
        Findings.from_json(manifest)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (("blame",), "findings lacks blame; run slad"),
        (("counts", "rows"), r"findings\.counts lacks rows"),
        (("rows", 0, "reasons", 0, "sentence"), r"rows\[0\]\.reasons\[0\] lacks sentence"),
    ],
)
def test_what_is_missing_is_named(manifest, place, message) -> None:
    del at(manifest, place[:-1])[place[-1]]
    with pytest.raises(DataError, match=message):
        Findings.from_json(manifest)


def test_what_a_later_version_adds_is_ignored(manifest) -> None:
    expected = Findings.from_json(manifest)
    assert Findings.from_json(manifest | {"mood": "fine"}) == expected


def test_findings_need_no_torch_and_no_pyarrow() -> None:
    heavy = "{'torch', 'numpy', 'sklearn', 'pyarrow'} & set(sys.modules)"
    code = f"import sys, slad.model.findings, slad.report; print({heavy} or 'light')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "light\n"
