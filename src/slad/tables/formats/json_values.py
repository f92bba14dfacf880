"""Cells as JSON."""

from __future__ import annotations

import json
import math
from typing import Any


def to_json(value: Any) -> str:
    """As text; what JSON does not have (NaN, infinity) is null, bytes are hexadecimal."""
    return json.dumps(_finite(value), default=_plain)


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    return [_finite(each) for each in value] if isinstance(value, list) else value


def _plain(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
