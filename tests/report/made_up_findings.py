"""Findings of a run that never was."""

from __future__ import annotations

from typing import Any

import numpy as np

CITIES = ["Lisbon", "Porto", "Braga", "Coimbra", "Faro"]

Json = dict[str, Any]
"""Findings as a manifest holds them."""


def payments(n_rows: int = 40, flagged: int = 12, seed: int = 0) -> Json:
    """A thousand payments of which a dozen stand out."""
    rng = np.random.default_rng(seed)
    columns = _payment_columns(rng)
    scores = np.sort(np.r_[rng.gamma(4, 1.2, flagged) + 3, rng.uniform(0.8, 2.3, n_rows)])
    scores = scores[::-1][:n_rows]
    rows = [_payment(rng, rank + 1, float(s), rank < flagged) for rank, s in enumerate(scores)]
    return {
        **_frame(columns),
        "counts": {"rows": 1000, "flagged": flagged, "unsure": sum(r["unsure"] for r in rows)},
        "scores": _distribution(rng, scores),
        "rows": rows,
        "blame": blame(rows),
    }


def _frame(columns: list[dict[str, Any]]) -> Json:
    """All but what is said of single rows."""
    command = "slad detect payments.csv --fpr 0.01 --id payment --label fraud --seed 0"
    return {
        "format": 1,
        "kind": "findings",
        "title": "payments.csv",
        "created": "2026-11-16T10:00:00Z",
        "slad": "0.1.0",
        "versions": {"python": "3.11.2", "numpy": "2.1.3", "torch": "2.6.0", "pyarrow": "26.0.0"},
        "command": command,
        "seed": 0,
        "seconds": {"read": 0.1, "fit": 12.4, "score": 0.2, "explain": 0.8},
        "input": {
            "name": "payments.csv",
            "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "rows": 1000,
            "columns": len(columns),
        },
        "reference": None,
        "detector": {"name": "slad", "parameters": {"epochs": 10, "n_groups": 20}},
        "calibration": {"kind": "cross", "folds": 5, "rows": 1000, "clean": False},
        "rule": {
            "kind": "fpr",
            "value": 0.01,
            "threshold": 2.31,
            "sentence": "At most 1 % of rows like those it learned from are called strange.",
        },
        "reject": 0.9,
        "evaluation": {
            "label": "fraud",
            "positive": "1",
            "positives": 10,
            "auc_roc": 0.971,
            "auc_pr": 0.684,
            "precision": 0.583,
            "recall": 0.7,
            "false_alarm_rate": 0.0051,
        },
        "history": {"loss": [2.1, 1.2, 0.82, 0.61, 0.52, 0.45, 0.41, 0.37, 0.33, 0.31]},
        "checks": [
            {"name": "The training loss fell", "ok": True, "text": "from 2.1 to 0.31 in 10 epochs"},
            {"name": "Scores differ between rows", "ok": True, "text": "998 different of 1,000"},
            {"name": "Folds agree", "ok": False, "text": "fold 3 scores 0.4 higher than the rest"},
            {"name": "New rows look like old ones", "ok": None, "text": "there are no new rows"},
        ],
        "columns": columns,
        "notes": [
            "payment: left out: every value is different, an id",
            "remark: 400 of 1,000 values are missing",
            "3 rows are there twice",
        ],
        "reproduce": [command, "slad explain payments.slad payments.csv --rows 17"],
    }


def column(name: str, kind: str = "number", **more: Any) -> dict[str, Any]:
    plain = {"used": True, "missing": 0.0, "note": "", "usual": "", "shape": None}
    return {"name": name, "kind": kind, **plain, **more}


def histogram(values: np.ndarray, bins: int = 24) -> dict[str, list[float]]:
    counts, edges = np.histogram(values, bins)
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def _payment_columns(rng: np.random.Generator) -> list[dict[str, Any]]:
    amounts = rng.gamma(2, 25, 1000)
    hours = rng.normal(14, 3.4, 1000).clip(0, 23.99)
    ages = rng.normal(41, 12, 1000).clip(18, 90)
    days = rng.uniform(1.7e9, 1.7e9 + 90 * 86400, 1000)
    cities = {"levels": CITIES, "counts": [520, 300, 120, 40, 20]}
    cards = {"levels": ["yes", "no"], "counts": [740, 250]}
    columns = [
        column("payment", "id", used=False, note="left out: every value is different, an id"),
        column("amount", shape=histogram(amounts)),
        column("hour", shape=histogram(hours)),
        column("age", missing=0.021, shape=histogram(ages)),
        column("city", "category", shape=cities),
        column("card", "boolean", missing=0.01, shape=cards),
        column("booked", "time", shape=histogram(days)),
        column("remark", "text", missing=0.4),
        column("currency", "constant", used=False, note="left out: always EUR"),
        column("branch", "empty", used=False, missing=1.0, note="left out: no values"),
    ]
    return [{**each, "usual": _USUAL.get(each["name"], "")} for each in columns]


_USUAL = {
    "amount": "3.2 to 180, typically 41",
    "hour": "6 to 22",
    "age": "20 to 68",
    "city": "Lisbon (52 %), Porto (30 %) or Braga (12 %)",
    "card": "yes (75 %) or no (25 %)",
    "booked": "14 Nov 2023 to 12 Feb 2024",
    "remark": "2 to 6 words",
    "currency": "EUR",
}

_STRANGE: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
    (("amount",), ("9,999",)),
    (("hour", "city"), ("3.1", "Faro")),
    (("city",), ("Reykjavík",)),
    (("age",), ("17.2",)),
    (("booked",), ("2024-06-30 04:12:00",)),
    (("card",), ("missing",)),
]


def _payment(rng: np.random.Generator, rank: int, score: float, flagged: bool) -> dict[str, Any]:
    usual = {
        "payment": f"P-{rng.integers(1e5):05d}",
        "amount": f"{rng.gamma(2, 25):.2f}",
        "hour": f"{rng.normal(14, 3):.1f}",
        "age": f"{rng.normal(41, 9):.0f}",
        "city": CITIES[int(rng.integers(3))],
        "card": "yes",
        "booked": "2024-01-03 11:20:00",
        "remark": "monthly rent and heating",
        "currency": "EUR",
        "branch": "missing",
    }
    chosen = rng.permutation(len(_STRANGE))[: 3 if flagged else 1]
    if rank == 1:
        chosen = np.array([0, 1, 5])
    shares = np.array([0.62, 0.21, 0.08])[: len(chosen)]
    values = dict(usual)
    for at in chosen:
        values.update(zip(*_STRANGE[at], strict=True))
    return {
        "rank": rank,
        "row": (rank * 383) % 1000 + 1,
        "id": usual["payment"],
        "score": score,
        "error": float(rng.uniform(0.05, 0.5)),
        "pvalue": rank / 1001,
        "flagged": flagged,
        "unsure": abs(score - 2.31) < 0.12,
        "label": "1" if flagged and rng.random() < 0.6 else "0",
        "reasons": [
            reason(*_STRANGE[at], usual, share * score, share)
            for at, share in zip(chosen, shares.tolist(), strict=True)
        ],
        "values": [list(pair) for pair in values.items()],
        "nearest": [list(pair) for pair in {**usual, "payment": "P-10021"}.items()],
    }


def reason(
    names: tuple[str, ...],
    values: tuple[str, ...],
    nearest: dict[str, str],
    contribution: float,
    share: float,
) -> dict[str, Any]:
    usual = [_USUAL.get(name, "") for name in names]
    said = [
        f"{name} is {value} (usually {often}); in the nearest normal row it is {nearest[name]}"
        for name, value, often in zip(names, values, usual, strict=True)
    ]
    return {
        "columns": list(names),
        "contribution": contribution,
        "share": share,
        "values": list(values),
        "usual": usual,
        "nearest": [nearest[name] for name in names],
        "sentence": "; ".join(said),
    }


def _distribution(rng: np.random.Generator, top: np.ndarray) -> dict[str, list[float]]:
    calibration = rng.normal(0, 0.75, 960)
    edges = np.linspace(-2.5, top.max() + 0.1, 48)
    return {
        "edges": edges.tolist(),
        "judged": np.histogram(np.r_[calibration, top], edges)[0].tolist(),
        "calibration": np.histogram(rng.normal(0, 0.8, 1000), edges)[0].tolist(),
    }


def blame(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    totals: dict[str, list[float]] = {}
    for row in rows:
        for reason in row["reasons"] if row["flagged"] else []:
            for name in reason["columns"]:
                totals.setdefault(name, []).append(reason["share"])
    whole = sum(map(sum, totals.values())) or 1
    blame = [
        {"column": name, "rows": len(shares), "share": sum(shares) / whole}
        for name, shares in totals.items()
    ]
    return sorted(blame, key=lambda entry: -entry["rows"])
