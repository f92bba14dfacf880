"""Folders of the user's that programs keep things in."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Where programs of this user keep what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    told = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return told if told.is_absolute() else Path.home() / ".cache"
