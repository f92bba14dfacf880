"""Checks of tables and parameters, before any work starts."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

from slad.core.errors import ConfigError, DataError
from slad.core.typing import Table, is_sparse
from slad.detectors.parts.statistics import row_blocks


def check_columns(X: Any) -> None:
    """Refuse a DataFrame with columns of text, naming them."""
    dtypes = getattr(X, "dtypes", None)
    if dtypes is None or not hasattr(X, "columns"):
        return
    text = [
        name
        for name, dtype in zip(X.columns, dtypes, strict=True)
        if getattr(dtype, "kind", "O") in "OSUmM" and _first_text(X[name]) is not None
    ]
    if text:
        raise DataError(
            f"column {text[0]!r} holds {_first_text(X[text[0]])!r}, which is not a number"
            + (f" ({len(text)} such columns: {text[:5]})" if len(text) > 1 else "")
            + ": encode these columns as numbers or leave them out"
        )


def _first_text(column: Any) -> Any:
    for value in column:
        if value is not None and not isinstance(value, int | float | np.number | np.bool_):
            return value
    return None


def check_finite(X: Table, names: np.ndarray | None) -> None:
    """Refuse NaN and infinity, naming the column and the number of cells."""
    if X.dtype.kind not in "fc":
        return
    missing, infinite = np.zeros(X.shape[1], dtype=int), np.zeros(X.shape[1], dtype=int)
    if is_sparse(X):
        if np.isfinite(X.data).all():
            return
        np.add.at(missing, X.indices[np.isnan(X.data)], 1)
        np.add.at(infinite, X.indices[np.isinf(X.data)], 1)
    else:
        for _, block in row_blocks(X):
            with np.errstate(over="ignore", invalid="ignore"):
                if np.isfinite(block.sum(dtype=np.float64)):  # no NaN or inf survives a sum
                    continue
            missing += np.isnan(block).sum(axis=0)
            infinite += np.isinf(block).sum(axis=0)
    for kind, counts, way_out in (
        ("NaN", missing, "fill them in or drop these rows"),
        ("infinity (inf)", infinite, "replace them by finite values or drop these rows"),
    ):
        if counts.any():
            worst = int(counts.argmax())
            name = f"{names[worst]!r}" if names is not None else f"{worst}"
            others = int((counts > 0).sum()) - 1
            more = f", {others} more columns have some" if others else ""
            raise DataError(
                f"column {name} has {counts[worst]} {kind} cells of {X.shape[0]}{more}: {way_out}"
            )


def check_choice(detector: Any, name: str, allowed: Iterable[str]) -> None:
    """Refuse a parameter that is not one of the allowed words."""
    value = getattr(detector, name)
    if not isinstance(value, str) or value not in allowed:
        raise ConfigError(f"{name}={value!r} is not valid; choose one of {', '.join(allowed)}")


def check_number(
    detector: Any,
    name: str,
    least: float,
    *,
    most: float | None = None,
    whole: bool = True,
    optional: bool = False,
) -> None:
    """Refuse a parameter that is not a finite number from `least` to `most`, nor optional None."""
    value = getattr(detector, name)
    if value is None and optional:
        return
    kind, wanted = (Integral, "an integer") if whole else (Real, "a number")
    number = isinstance(value, kind) and not isinstance(value, bool)
    if not number or not least <= value < float("inf") or (most is not None and value > most):
        end = "up" if most is None else f"to {most}"
        raise ConfigError(f"{name}={value!r} is not valid; use {wanted} from {least} {end}")
