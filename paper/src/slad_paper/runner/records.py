"""JSON records: what was run, with what, and what came out. Every printed figure has one."""

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

import slad
from slad.core import former
from slad.core.errors import DataError
from slad.core.files import written_aside
from slad.core.version import __version__

FORMAT = 1
"""Of every record of a run or a case."""
REFERENCE = "reference.json"
"""Figures of others, beside the records of runs."""
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


def read_single(path: Path) -> dict[str, Any] | None:
    """The record in a file of its own, None where there is none."""
    old = _former_path(path)
    for each in (path, old) if old else (path,):
        try:
            record: dict[str, Any] = json.loads(each.read_text("utf-8"))
        except FileNotFoundError:
            continue
        except json.JSONDecodeError as error:
            raise DataError(f"{each} is not JSON ({error}): delete it to run it again") from error
        if each == path or _is_former(record):
            today: dict[str, Any] = named_as_today(record)
            return today
    return None


def _former_path(path: Path) -> Path | None:
    """Where slad 0.1 wrote a record that is named after a detector alone."""
    names = {today: name for name, today in former.LABELS.items()}
    return path.with_stem(names[path.stem]) if path.stem in names else None


def _is_former(record: Any) -> bool:
    return former.is_former(record.get("environment", {}).get("slad"))


def flat(record: dict[str, Any]) -> dict[str, Any]:
    """A record with its settings and results side by side.

    So were the records of some studies from the beginning (culprits, encodings, false-alarms,
    fidelity, mixed-culprits, score-errors); what reads them flat reads both.
    """
    return {**record, **record.get("settings", {}), **record.get("result", {})}


def flat_records(folder: Path) -> list[dict[str, Any]]:
    """The records right in a folder, flat and with today's names, in the order of their files."""
    paths = sorted(folder.glob("*.json"))
    return [flat(named_as_today(json.loads(path.read_text("utf-8")))) for path in paths]


def named_as_today(record: Any) -> Any:
    """A record with today's names of its detectors; anything but a record stays as it is.

    Every record of slad 0.1 under results/ that says "slad" was made when that name meant what is
    "neighbor-scale" now: older ones were relabelled "slad-subspaces" when the name changed.
    """
    try:
        version = record["environment"].get("slad")
    except (KeyError, TypeError, AttributeError):
        return record
    return _renamed(record, version) if former.is_former(version) else record


def _renamed(part: Any, version: str) -> Any:
    """The detectors of a record, of its parts and of the parts of these."""
    if isinstance(part, list) and part and isinstance(part[0], dict):
        return [_renamed(each, version) for each in part]
    if not isinstance(part, dict):
        return part
    today = {name: _renamed(value, version) for name, value in part.items()}
    if isinstance(name := part.get("detector"), str):
        today["detector"] = former.label(name, version)
    if isinstance(method := part.get("method"), str):  # "occlusion (slad)"
        what, bracket, name = method.partition(" (")
        today["method"] = what + bracket + former.label(name.removesuffix(")"), version)
        today["method"] += ")" if bracket else ""
    return today


@cache
def _commit() -> str | None:
    """The commit of slad and slad_paper, marked "-changed" where files of either differ from it.

    None where they are not both in one repository. The variable SLAD_COMMIT overrides it, for a
    copy of the source that has no history, or another one.
    """
    if told := os.environ.get("SLAD_COMMIT"):
        return told
    packages = [Path(str(slad.__file__)).parent, Path(__file__).parents[1]]
    try:
        for package in packages:  # tracked, and not merely inside of a repository
            _git("ls-files", "--error-unmatch", "__init__.py", at=package)
        roots = {_git("rev-parse", "--show-toplevel", at=package) for package in packages}
        commit = _git("rev-parse", "HEAD", at=packages[0])
        changed = any(_git("status", "--porcelain", "--", ".", at=package) for package in packages)
    except (OSError, subprocess.CalledProcessError):
        return None
    return commit + ("-changed" if changed else "") if len(roots) == 1 else None


def _git(*words: str, at: Path) -> str:
    done = subprocess.run(["git", *words], cwd=at, check=True, capture_output=True, text=True)
    return done.stdout.strip()
