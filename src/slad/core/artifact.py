"""Model files: safetensors with a JSON description and a checksum in the header.

Reading executes no code: safetensors holds only numbers, JSON only plain values.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from slad.core.errors import ArtifactError
from slad.core.files import written_aside
from slad.core.state import State

FORMAT_VERSION = 1
_KEY = "slad"


def write_artifact(
    path: str | os.PathLike[str], description: dict[str, Any], arrays: dict[str, np.ndarray]
) -> None:
    """Write the file atomically: it appears complete or not at all."""
    target = Path(path)
    if not target.parent.is_dir():
        raise ArtifactError(f"cannot save to {target}: there is no folder {target.parent}")
    if target.is_dir():
        raise ArtifactError(f"cannot save to {target}: it is a folder; use a file name")
    arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    text = json.dumps(description, sort_keys=True, allow_nan=False)
    header = {
        "format_version": FORMAT_VERSION,
        "checksum": _checksum(text, arrays),
        "description": text,
    }
    with written_aside(target) as aside:
        save_file(arrays, aside, metadata={_KEY: json.dumps(header)})


def read_artifact(path: str | os.PathLike[str]) -> State:
    """The state in a file, after its version and checksum have been checked."""
    source = Path(path)
    if not source.is_file():
        raise ArtifactError(f"no saved model at {source}")
    try:
        with safe_open(source, framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        header = json.loads(metadata[_KEY])
        version, checksum, text = (
            header["format_version"],
            header["checksum"],
            header["description"],
        )
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise ArtifactError(
            f"{source} is not a complete slad model ({type(error).__name__}: {error}): it was "
            "truncated, altered, or written by another program; save the model again"
        ) from error
    if version != FORMAT_VERSION:
        raise ArtifactError(
            f"{source} has format version {version}, this version of slad reads "
            f"{FORMAT_VERSION}: load it with the version that wrote it, or fit again"
        )
    if checksum != _checksum(text, arrays):
        raise ArtifactError(
            f"{source} was altered after it was saved: its checksum differs; save the model again"
        )
    description: dict[str, Any] = json.loads(text)
    return State(description, arrays)


def _checksum(text: str, arrays: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
