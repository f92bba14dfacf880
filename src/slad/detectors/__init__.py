"""Detectors: one file each, one contract (`base`), one way to be trained (`stacking`)."""

from slad.detectors.base import Detector
from slad.detectors.registry import DETECTORS, load
from slad.detectors.slad import RELEASED_EPOCHS, SLAD
from slad.detectors.stacking import fit_many

__all__ = ["DETECTORS", "RELEASED_EPOCHS", "SLAD", "Detector", "fit_many", "load"]
