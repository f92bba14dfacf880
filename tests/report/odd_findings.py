"""Findings that a page must bear: empty, hostile, wide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from made_up_findings import Json, blame, column, histogram, payments, reason

ATTACK = "</script><img src=x onerror=\"document.title='owned'\"><script>alert(1)</script>"
LONG = "an_exceedingly_long_column_name_" * 8 + "end"
ARABIC = "رقم الحساب المصرفي"


def nothing_flagged() -> Json:
    return payments(flagged=0)


def bare() -> Json:
    """Everything that may be null or empty is."""
    found = payments(n_rows=5, flagged=1)
    for row in found["rows"]:
        row.update(id=None, error=None, label=None, reasons=[], nearest=None, unsure=False)
    found["rule"]["threshold"] = None
    found["input"]["sha256"] = None
    nothing: Json = {"history": None, "evaluation": None, "reject": None}
    empty = {key: [] for key in ("blame", "checks", "notes", "reproduce")}
    scores = {**found["scores"], "calibration": []}
    return {**found, **nothing, **empty, "scores": scores}


def one_row() -> Json:
    found = payments(n_rows=1, flagged=1)
    found["input"]["rows"] = 1
    found["counts"] = {"rows": 1, "flagged": 1, "unsure": 0}
    found["scores"] = {"edges": [9.1, 9.1], "judged": [1], "calibration": [0]}
    return found


def hostile() -> Json:
    """Markup, long names, other scripts and characters that no file can hold, in every place."""
    names = [ATTACK, LONG, ARABIC, "emoji 🧪 \u202e turned", "nul \x00 and \ud800 half", "'\"&<>"]
    return _renamed(payments(flagged=6), names)


def _renamed(found: Json, names: list[str]) -> Json:
    columns = found["columns"]
    new = {old["name"]: names[at % len(names)] + str(at) for at, old in enumerate(columns)}

    def rename(thing: Any, key: str = "") -> Any:
        if isinstance(thing, dict):
            return {name: rename(value, name) for name, value in thing.items()}
        if isinstance(thing, list):
            return [rename(value, key) for value in thing]
        if isinstance(thing, str) and key not in ("kind", "sha256"):
            return new.get(thing, f"{thing} {names[len(thing) % len(names)]}")
        return thing

    return {**rename(found), "format": 1, "kind": "findings"}


def wide(n_rows: int = 200, n_columns: int = 300, text: str = "") -> Json:
    """As many rows as findings hold, and many columns."""
    rng = np.random.default_rng(1)
    found = payments(n_rows=n_rows, flagged=20)
    names = [f"sensor_{at:03d}_temperature{text}" for at in range(n_columns)]
    for row in found["rows"]:
        numbers = rng.normal(size=(2, n_columns)).tolist()
        shown = [[[n, f"{v:.4f}{text}"] for n, v in zip(names, r, strict=True)] for r in numbers]
        row["values"], row["nearest"] = shown
        guilty = rng.choice(n_columns, 5, replace=False)
        row["reasons"] = [
            reason((names[g],), (shown[0][g][1],), dict(shown[1]), 0.2, 0.2) for g in guilty
        ]
    found["columns"] = [
        column(name, usual=f"−2 to 2{text}", shape=histogram(rng.normal(size=500)))
        for name in names
    ]
    found["blame"] = blame(found["rows"])
    return found


ODD: dict[str, Callable[[], Json]] = {
    "payments": payments,
    "nothing flagged": nothing_flagged,
    "bare": bare,
    "one row": one_row,
    "hostile": hostile,
    "wide": lambda: wide(n_rows=8),
}
