"""Every detector by name; contract tests run over all of them."""

from __future__ import annotations

import os
from typing import Any

from slad.artifacts import read_artifact
from slad.core.errors import ArtifactError
from slad.detectors.base import Detector
from slad.detectors.slad import SLAD

DETECTORS: dict[str, type[Detector]] = {"SLAD": SLAD}


def load(path: str | os.PathLike[str], **overrides: Any) -> Detector:
    """The model saved at `path`, whichever detector it is."""
    name = read_artifact(path)[0].get("detector")
    if name not in DETECTORS:
        raise ArtifactError(f"{os.fspath(path)} holds a {name!r}; known: {', '.join(DETECTORS)}")
    return DETECTORS[name].load(path, **overrides)
