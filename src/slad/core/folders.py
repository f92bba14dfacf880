"""Folders in which programs keep files of the user."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Where this user's programs keep files that can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    configured = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return configured if configured.is_absolute() else Path.home() / ".cache"
