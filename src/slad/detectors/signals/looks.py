"""One look at the training rows or two: what the network is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from slad.core.state import State, joined, parted
from slad.core.typing import Float, Int, Table
from slad.detectors.signals.blocks import Found, by_all_cores, one_thread_each
from slad.detectors.signals.look import TOGETHER, Look
from slad.detectors.signals.profile import Extremes
from slad.detectors.signals.standard import WIDEST, Standardiser, drawn_rows

STRANGEST = 0.1
"""Share of the reference rows that the second look leaves out."""
CELLS = 2**18
"""Cells of rows that are looked at together."""

Inputs = tuple[Float[np.ndarray, "n inputs"], Float[np.ndarray, "n contrasts"]]
"""What the network is monotone in, and the rest."""


class Looks:
    """Looks at rows beside reference rows, drawn from the training rows.

    Where these may hold anomalies, which hide each other, a second look leaves out the tenth that
    is strangest by the mean of its tail probabilities.
    """

    def __init__(self, standardiser: Standardiser, looks: list[Look]) -> None:
        self._standardiser, self.looks = standardiser, looks

    @classmethod
    def fit(cls, X: Table, *, clean: bool, max_rows: int | None, seed: int) -> tuple[Looks, Inputs]:
        """The looks, and the reference rows' own inputs, each row beside the others."""
        with one_thread_each():
            X = drawn_rows(X, max_rows, seed)
            standardiser = Standardiser.fit(X, seed)
            rows = standardiser(X)
            first = Look(rows, seed)
            if clean:
                return cls(standardiser, [first]), _inputs([first.own])
            kept = _ordinary(first.own)
            second = Look(rows[kept], seed)
            own = [first.own, _own_of_all(second, rows, kept)]
            return cls(standardiser, [first, second]), _inputs(own)

    def inputs(self, X: Table) -> Inputs:
        """Of rows that are not among the training rows."""
        monotone, free = zip(*self._by_blocks(X, lambda *inputs: inputs), strict=True)
        return np.concatenate(monotone), np.concatenate(free)

    def scores(
        self, X: Table, score: Callable[[np.ndarray, np.ndarray], Float[np.ndarray, " n"]]
    ) -> Float[np.ndarray, " n"]:
        """The scores of the inputs, in bounded memory."""
        return np.concatenate(list(self._by_blocks(X, score)))

    def _by_blocks(
        self, X: Table, work: Callable[[np.ndarray, np.ndarray], Found]
    ) -> Iterator[Found]:
        """`work` on the inputs of all rows, block by block, by all cores."""

        def of_block(part: slice) -> Found:
            rows = self._standardiser(X[part])
            return work(*_inputs([look(rows) for look in self.looks]))

        size = min(TOGETHER, max(1, CELLS // min(X.shape[1], WIDEST)))
        return by_all_cores(of_block, X.shape[0], size)

    # -- saved models ----------------------------------------------------------------------------

    def state(self) -> State:
        arrays = {
            "scaler.center": self._standardiser.center,
            "scaler.scale": self._standardiser.scale,
        }
        return State(
            {"looks": len(self.looks)},
            arrays | joined({str(at): look.state().arrays for at, look in enumerate(self.looks)}),
        )

    @classmethod
    def from_state(cls, state: State, seed: int) -> Looks:
        arrays = parted(state.arrays)
        standardiser = Standardiser(arrays["scaler"]["center"], arrays["scaler"]["scale"], seed)
        with one_thread_each():  # as in the fit
            looks = [
                Look(arrays[str(at)]["rows"], seed, arrays[str(at)])
                for at in range(state.values["looks"])
            ]
        return cls(standardiser, looks)


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
