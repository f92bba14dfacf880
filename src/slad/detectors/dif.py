"""Deep isolation forest (Xu, Pang, Wang and Wang, TKDE 2023): trees on random representations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from slad.core.seeds import RandomState, Streams, draw_seed
from slad.core.state import State
from slad.core.typing import Float, Table
from slad.detectors.base import Capability
from slad.detectors.direct import DirectDetector
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.random_networks import BLOCK, RandomNetworks
from slad.detectors.parts.scaling import SCALINGS, ScaledRows, Scaler
from slad.detectors.parts.sparse import worth_sparse
from slad.detectors.parts.statistics import row_blocks
from slad.detectors.parts.trees import PATHS, Trees, isolation, usual_length

CHUNK = 2**16
"""Rows scored at a time, at most."""
CELLS = 2**24
"""Cells of rows scored at a time, unless they are sparse."""


class DeepIsolationForest(DirectDetector):
    """Isolation trees on the outputs of networks that are drawn and never trained.

    A row's score in one representation is that of an isolation forest times the row's mean
    distance to the cuts on its paths ("deviation-enhanced"); its score is the mean of these.

    Parameters
    ----------
    n_representations : int, default=50
        Networks (the paper's r, section on parameter settings).
    n_estimators : int, default=6
        Trees on each representation (the paper's t).
    max_samples : int, default=256
        Rows that each tree is grown on (the paper's n); all rows where there are fewer.
    hidden_dim : int, default=500
    second_hidden_dim : int, default=100
        Units of the two hidden layers, as in the authors' code.
    representation_dim : int, default=20
        Outputs of a network, as in the authors' code.
    scaling : {"minmax", "standard", "signed_log", "robust", "none"}, default="minmax"
        Input scaling, fitted on the training rows; the authors' code scales by min-max.
    contamination : "auto" or float, default="auto"
        Fraction of anomalies among the training rows. `predict` flags rows that score above all
        but this fraction of the training rows; with "auto", above Tukey's fence of their scores.
    random_state : int, numpy generator or None, default=None
        The same integer gives the same networks and trees.

    Attributes
    ----------
    offset_ : float
    seed_ : int
        The seed that was used; give it as `random_state` to repeat the fit.
    n_features_in_ : int
    feature_names_in_ : ndarray, where the table had column names

    Notes
    -----
    Outputs are standardised by the training rows. The authors' code standardises by the table that
    is scored, so that a score there depends on the other rows of that table.

    As in the authors' code, path lengths and distances are multiplied in each representation and
    then averaged. The paper's formula multiplies their means over all trees.

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import DeepIsolationForest
    >>> normal = np.random.default_rng(0).normal(size=(500, 4))
    >>> detector = DeepIsolationForest(random_state=0).fit(normal)
    >>> bool(detector.anomaly_score([[9, -9, 9, -9]])[0] > detector.anomaly_score(normal).max())
    True
    """

    capabilities = frozenset({Capability.SCORE_PARTS})

    def __init__(
        self,
        *,
        n_representations: int = 50,
        n_estimators: int = 6,
        max_samples: int = 256,
        hidden_dim: int = 500,
        second_hidden_dim: int = 100,
        representation_dim: int = 20,
        scaling: str = "minmax",
        contamination: float | str = "auto",
        random_state: RandomState = None,
    ) -> None:
        self.n_representations = n_representations
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.hidden_dim = hidden_dim
        self.second_hidden_dim = second_hidden_dim
        self.representation_dim = representation_dim
        self.scaling = scaling
        self.contamination = contamination
        self.random_state = random_state

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "scaling", SCALINGS)
        for name in ("n_representations", "n_estimators", "max_samples"):
            check_number(self, name, 1)
        for name in ("hidden_dim", "second_hidden_dim", "representation_dim"):
            check_number(self, name, 1)

    def _learn(self, X: Table) -> None:
        self.seed_ = draw_seed(self.random_state)
        widths = self.hidden_dim, self.second_hidden_dim, self.representation_dim
        self._sizes = (X.shape[1], *(int(width) for width in widths))
        self._scaler, self._sparse = Scaler.fit(self.scaling, X), worth_sparse(X)
        drawn = min(int(self.max_samples), X.shape[0])
        self._usual = usual_length(drawn)
        self._standards, self._forests = [], []
        networks = RandomNetworks(self.seed_, int(self.n_representations), self._sizes)
        total = np.zeros(X.shape[0])
        for number, outputs in enumerate(networks.outputs(self._rows(X))):
            standard = Scaler.fit("standard", outputs)
            _squeeze(outputs, standard)
            seed = Streams(self.seed_, number).key("trees")
            trees = Trees.grow(outputs, int(self.n_estimators), drawn, seed)
            total += self._part(trees, outputs)
            self._standards.append(standard)
            self._forests.append(trees)
        self._scored = total / networks.count

    def _training_scores(self, X: Table) -> Float[np.ndarray, " n"]:
        scores = self._scored
        del self._scored
        return scores

    def _rows(self, X: Table) -> ScaledRows:
        return self._scaler.rows(X, sparse=self._sparse)

    # -- scoring ---------------------------------------------------------------------------------

    def score_parts(self, X: Any) -> Float[np.ndarray, "n representations"]:
        """The score in each representation: a row's score is their mean."""
        check_is_fitted(self)
        chunks = self._chunks(self._check(X, reset=False))
        return np.concatenate([np.stack(list(parts), axis=1) for parts in chunks])

    def _anomaly_score(self, X: Table) -> Float[np.ndarray, " n"]:
        return np.concatenate([sum(parts) / len(self._forests) for parts in self._chunks(X)])

    def _chunks(self, X: Table) -> Iterator[Iterator[Float[np.ndarray, " chunk"]]]:
        """For each chunk of rows, their scores in one representation after the other."""
        networks = RandomNetworks(self.seed_, len(self._forests), self._sizes)
        size = CHUNK if self._sparse else min(CHUNK, max(BLOCK, CELLS // X.shape[1]))
        for start in range(0, X.shape[0], size):
            yield self._parts(networks, self._rows(X[start : start + size]))

    def _parts(
        self, networks: RandomNetworks, rows: ScaledRows
    ) -> Iterator[Float[np.ndarray, " chunk"]]:
        each = zip(networks.outputs(rows), self._standards, self._forests, strict=True)
        for outputs, standard, trees in each:
            _squeeze(outputs, standard)
            yield self._part(trees, outputs)

    def _part(self, trees: Trees, cells: Float[np.ndarray, "n out"]) -> Float[np.ndarray, " n"]:
        """The deviation-enhanced score (DEAS) in one representation."""
        scores = np.empty(len(cells))
        size = max(1, PATHS // len(trees))
        for start in range(0, len(cells), size):
            lengths, deviations = trees.lengths_and_deviations(cells[start : start + size])
            scores[start : start + size] = isolation(lengths, self._usual) * deviations
        return scores

    # -- saved models ----------------------------------------------------------------------------

    def _fitted_state(self) -> State:
        values = {
            "seed": self.seed_,
            "sizes": list(self._sizes),
            "sparse": self._sparse,
            "usual_length": self._usual,
        }
        arrays = {
            "scaler.center": self._scaler.center,
            "scaler.scale": self._scaler.scale,
            "outputs.center": np.stack([standard.center for standard in self._standards]),
            "outputs.scale": np.stack([standard.scale for standard in self._standards]),
            "features": np.stack([trees.features for trees in self._forests]).astype(np.int32),
            "thresholds": np.stack([trees.thresholds for trees in self._forests]),
            "path_lengths": np.stack([trees.lengths for trees in self._forests]),
        }
        return State(values, arrays)

    def _set_fitted_state(self, state: State) -> None:
        values, arrays = state
        self.seed_, self._usual = values["seed"], values["usual_length"]
        self._sizes, self._sparse = tuple(values["sizes"]), values["sparse"]
        self._scaler = Scaler(self.scaling, arrays["scaler.center"], arrays["scaler.scale"])
        self._standards = [
            Scaler("standard", center, scale)
            for center, scale in zip(arrays["outputs.center"], arrays["outputs.scale"], strict=True)
        ]
        features = arrays["features"].astype(np.intp)
        each = zip(features, arrays["thresholds"], arrays["path_lengths"], strict=True)
        self._forests = [Trees(*parts) for parts in each]


def _squeeze(outputs: Float[np.ndarray, "n out"], standard: Scaler) -> None:
    """Standardise outputs and apply tanh, in place: the cells that trees are grown on.

    The scaler's limit of 10 changes nothing: in single precision tanh is 1 from 9.02 on.
    """
    for start, block in row_blocks(outputs):
        scaled = standard.dense(block).astype(np.float32)
        np.tanh(scaled, out=outputs[start : start + len(block)])
