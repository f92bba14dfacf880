"""Rows in the five spaces of `detectors.parts.spaces`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from slad.core.typing import Float
from slad.detectors.parts.spaces import NAMES, Spaces


@dataclass(frozen=True)
class RowsInSpaces:
    """Standardised rows, and the same rows in every space."""

    standard: Float[np.ndarray, "n d"]
    """In single precision."""
    spaces: dict[str, Tensor]
    """By the name of the space, in single precision, on the device."""

    @classmethod
    def of(
        cls, standard: Float[np.ndarray, "n d"], spaces: Spaces, device: torch.device
    ) -> RowsInSpaces:
        moved = torch.from_numpy(np.ascontiguousarray(standard)).to(device).double()
        every = zip(NAMES, spaces(moved), strict=True)
        return cls(standard, {name: rows.float() for name, rows in every})

    def array(self, space: str) -> Float[np.ndarray, "n d"]:
        found: np.ndarray = self.spaces[space].cpu().numpy()
        return found
