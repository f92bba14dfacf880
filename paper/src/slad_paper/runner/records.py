"""JSON records behind every printed figure: what was run, with what, and what came out."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from slad.core.files import written_aside
from slad.core.version import __version__

FORMAT = 1
"""Of the records of single runs, which reports read."""
REFERENCE = "reference.json"
"""Figures of others that lie beside the records of runs."""
PEER = "peer.json"
"""Runs of another implementation, beside the records of ours."""
LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch", "safetensors")


def environment(command: str | None = None) -> dict[str, Any]:
    """Versions, commit, machine and command of this run."""
    import torch  # not above: records are also read where torch is not installed

    return {
        "command": command or " ".join([Path(sys.orig_argv[0]).name, *sys.orig_argv[1:]]),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "slad": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in LIBRARIES},
        "machine": platform.machine(),
        "cpu_threads": torch.get_num_threads(),
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else None,
    }


def write_record(path: Path, record: dict[str, Any]) -> None:
    """Write aside, then rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_aside(path) as aside:
        aside.write_text(json.dumps(record, indent=1, allow_nan=False) + "\n")


@cache
def _commit() -> str | None:
    """The commit of the source this runs from, marked where files differ from it.

    SLAD_COMMIT says it for a copy of the source that has no history, or another one.
    """
    if told := os.environ.get("SLAD_COMMIT"):
        return told
    here = Path(__file__).parents[1]
    try:
        _git("ls-files", "--error-unmatch", "__init__.py", at=here)  # not a repository around it
        commit = _git("rev-parse", "HEAD", at=here)
        changed = _git("status", "--porcelain", "--", ".", at=here)
    except (OSError, subprocess.CalledProcessError):
        return None
    return commit + ("-changed" if changed else "")


def _git(*words: str, at: Path) -> str:
    done = subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, text=True)
    return done.stdout.strip()
