"""Lines of seconds against size, from the records of the scalability test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad_paper.pages.cases import CaseRecord
from slad_paper.runner import printed

OURS, PEER = "ours", "peer"
WHOSE = {OURS: "slad", PEER: "reference"}
"""Key in a record -> its name on the page."""
AXES = ("features", "rows")
DEVICES = {"cuda": "GPU", "cpu": "CPU"}
POINTS = 3
"""The number of sizes, the largest ones, that a growth is taken from."""


@dataclass(frozen=True)
class Line:
    """One implementation of a detector along one axis on one device."""

    device: str
    axis: str
    detector: str
    whose: str
    sizes: tuple[int, ...]
    cells: tuple[Mapping[str, Any], ...]

    @property
    def seconds(self) -> dict[int, float]:
        """Size -> the shortest fit and the shortest scoring, where it was measured."""
        return {
            size: min(cell["fit"]) + min(cell["score"])
            for size, cell in zip(self.sizes, self.cells, strict=True)
            if "fit" in cell
        }

    def shown(self, size: int) -> str:
        cell = self.cells[self.sizes.index(size)]
        if "fit" in cell:
            return f"{self.seconds[size]:.3g}"
        return f"> {cell['over']:g}" if "over" in cell else "failed" if "failed" in cell else "–"

    @property
    def growth(self) -> float | None:
        """The exponent of the size that the largest measured times grow with."""
        points = list(self.seconds.items())[-POINTS:]
        if len(points) < POINTS:
            return None
        sizes, times = np.log(points).T
        return float(np.polyfit(sizes, times, 1)[0])


Lines = dict[tuple[str, str, str, str], Line]
"""Device, axis, whose and detector -> its line."""


def read_lines(records: Sequence[CaseRecord]) -> Lines:
    found: Lines = {}
    for record in records:
        settings, cells = record.settings, record.result["cells"]
        axis, device, name = settings["axis"], settings["device"], settings["detector"]
        sizes = tuple(cell[axis] for cell in cells)
        for whose in (OURS, PEER):
            if whose in cells[0]:
                of_size = tuple(cell[whose] for cell in cells)
                found[device, axis, whose, name] = Line(device, axis, name, whose, sizes, of_size)
    return found


def lines_of(lines: Lines, device: str, axis: str, whose: str) -> dict[str, Line]:
    """Detector -> line, in the paper's order."""
    names = [key[3] for key in lines if key[:3] == (device, axis, whose)]
    return {name: lines[device, axis, whose, name] for name in printed.ordered(names)}
