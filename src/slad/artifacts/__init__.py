"""Saved models: arrays in safetensors, everything else in JSON, one checked file."""

from slad.artifacts.file import read_artifact, write_artifact
from slad.artifacts.parts import joined, parted

__all__ = ["joined", "parted", "read_artifact", "write_artifact"]
