"""One look at the training rows or two: what the network is given."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from slad.core.seeds import Streams
from slad.core.state import State, joined, parted
from slad.core.typing import Float, Int, Table
from slad.detectors.parts.scaling import Scaler, row_blocks
from slad.detectors.parts.spaces import drawn_together
from slad.detectors.signals.look import Extremes, Look

STRANGEST = 0.1
"""Share of the reference rows that the second look leaves out."""
WIDEST = 1000
"""Tables with more columns are projected to so many."""
CELLS = 2**18
"""Cells of rows that are looked at together."""
MOST_TOGETHER = 4096
"""Rows that are looked at together."""

Inputs = tuple[Float[np.ndarray, "n inputs"], Float[np.ndarray, "n contrasts"]]
"""What the network is monotone in, and the rest."""


class Looks:
    """Looks at rows beside reference rows, drawn from the training rows.

    Where these may hold anomalies, which hide each other, a second look leaves out the tenth that
    is strangest by the mean of its tail probabilities.
    """

    def __init__(self, scaler: Scaler, seed: int, looks: list[Look]) -> None:
        self._scaler, self._seed, self.looks = scaler, seed, looks

    @classmethod
    def fit(
        cls, X: Table, *, clean: bool, max_rows: int | None, seed: int, device: torch.device
    ) -> tuple[Looks, Inputs]:
        """The looks, and the reference rows' own inputs, each row beside the others."""
        if max_rows is not None and X.shape[0] > max_rows:
            chosen = Streams(seed).numpy("rows").permutation(X.shape[0])[:max_rows]
            X = X[np.sort(chosen)]
        looks = cls(Scaler.fit("standard", X), seed, [])
        rows = looks._standard(X)
        first = Look(rows, seed, device)
        looks.looks.append(first)
        own = [first.own]
        if not clean:
            kept = _ordinary(first.own)
            second = Look(rows[kept], seed, device)
            looks.looks.append(second)
            own.append(_own_of_all(second, rows, kept))
        return looks, _inputs(own)

    def inputs(self, X: Table) -> Inputs:
        """Of rows that are not among the training rows."""
        size = min(MOST_TOGETHER, max(1, CELLS // X.shape[1]))
        parts = []
        for start in range(0, X.shape[0], size):
            rows = self._standard(X[start : start + size])
            parts.append(_inputs([look(rows) for look in self.looks]))
        monotone, free = zip(*parts, strict=True)
        return np.concatenate(monotone), np.concatenate(free)

    def scores(self, X: Table, score: Callable[..., np.ndarray]) -> Float[np.ndarray, " n"]:
        """The scores of the inputs, block by block, in bounded memory."""
        size = min(MOST_TOGETHER, max(1, CELLS // X.shape[1]))
        parts = [score(*self.inputs(X[at : at + size])) for at in range(0, X.shape[0], size)]
        return np.concatenate(parts)

    def _standard(self, X: Table) -> Float[np.ndarray, "n d"]:
        """Standardised rows in single precision; those of a wide table are projected."""
        together = drawn_together(X.shape[1], self._seed, WIDEST)
        if together is None:
            return self._scaler.cells(X).numpy()
        parts = [self._scaler.dense(block) @ together for _, block in row_blocks(X)]
        return np.concatenate(parts).astype(np.float32)

    # -- saved models ----------------------------------------------------------------------------

    def state(self) -> State:
        arrays = {"scaler.center": self._scaler.center, "scaler.scale": self._scaler.scale}
        return State(
            {"looks": len(self.looks)},
            arrays | joined({str(at): look.state().arrays for at, look in enumerate(self.looks)}),
        )

    @classmethod
    def from_state(cls, state: State, seed: int, device: torch.device) -> Looks:
        arrays = parted(state.arrays)
        scaler = Scaler("standard", arrays["scaler"]["center"], arrays["scaler"]["scale"])
        looks = [
            Look(arrays[str(at)]["rows"], seed, device, arrays[str(at)])
            for at in range(state.values["looks"])
        ]
        return cls(scaler, seed, looks)


def _ordinary(own: Extremes) -> Int[np.ndarray, " kept"]:
    """Reference rows without the strangest; two at least."""
    order = np.argsort(own.tails.mean(axis=1), kind="stable")
    kept = max(min(2, len(order)), len(order) - int(STRANGEST * len(order)))
    return np.sort(order[:kept])


def _own_of_all(
    look: Look, rows: Float[np.ndarray, "m d"], kept: Int[np.ndarray, " kept"]
) -> Extremes:
    """Of the rows in the look, each beside the others, and of those that were left out."""
    left = np.setdiff1d(np.arange(len(rows)), kept)
    if not len(left):
        return look.own
    order = np.argsort(np.concatenate([kept, left]))
    others = look(rows[left])
    return Extremes(
        *(
            np.concatenate([getattr(look.own, part), getattr(others, part)])[order]
            for part in Extremes.__annotations__
        )
    )


def _inputs(extremes: list[Extremes]) -> Inputs:
    return np.hstack([each.monotone for each in extremes]), np.hstack(
        [each.free for each in extremes]
    )
