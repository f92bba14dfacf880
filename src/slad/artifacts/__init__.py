"""Saved models: arrays in safetensors, everything else in JSON, one checked file."""

from slad.artifacts.file import read_artifact, write_artifact

__all__ = ["read_artifact", "write_artifact"]
