"""ICL (Shenkar and Wolf, ICLR 2022): internal contrastive learning."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from slad.core.errors import ConfigError
from slad.detectors.parts.checks import check_choice, check_number
from slad.detectors.parts.internal_contrast import FEWEST_FEATURES, InternalContrast
from slad.detectors.parts.network_detector import NetworkDetector
from slad.learning import MLP, Method

VARIANTS = ("authors", "deepod")


@dataclass(kw_only=True, eq=False, repr=False)
class ICL(NetworkDetector):
    """Internal contrastive learning: rows whose parts do not match each other.

    A row is cut into all windows of neighbouring features. One network represents a window,
    another the features that the window leaves out. The two must be more similar than these
    features and any other window of the same row. The mean loss over the windows is the score.

    Parameters
    ----------
    window : "auto" or int, default="auto"
        Features of a window, fewer than the table has. "auto" is the rule of the paper and of its
        code: 2 up to 40 features, 10 up to 160, from there all but 150.
    variant : {"authors", "deepod"}, default="authors"
        The authors' mathematics, or that of DeepOD, from which the SLAD paper's figures for ICL
        are. Deepod's representations are batch-normalised and of no fixed length, its networks
        all see the columns in the table's order, and its windows leave out 200 features above
        240, and 400 above 480.
    temperature : float, default=0.01
        Of the similarities (the paper).
    max_negatives : int, default=1000
        Largest number of windows that a query is compared with (the authors' code). If there are
        more, this many are drawn once for each network.
    hidden_dim : int, default=100
        Units of the hidden layer for what a window leaves out (the SLAD paper's implementation
        section); that for windows has half as many (DeepOD; a quarter in the authors' code).
    representation_dim : int, default=128
        Dimensions of a representation (the SLAD paper).
    n_members : "auto" or int, default="auto"
        Networks whose scores are averaged. "auto" is the paper's rule for n rows of d features:
        the integer part of 100 / (log n + d), plus one. Several networks each have their own random
        order of the columns, as in the authors' code.

    All other parameters are those of `NetworkDetector`: epochs, batch_size, learning_rate,
    weight_decay, scaling, patience, contamination, device, random_state, verbose.

    Notes
    -----
    Hidden layers are batch-normalised window by window, over rows and units. At scoring the
    statistics are those of all training rows under the final weights, so that a score depends on
    its row alone. A table of one or two features gets columns of zeros up to three.

    Layers, epochs and learning rate are those of the SLAD paper for all its rivals. The authors'
    networks have three layers (200, 400, 200 units) with bias and slope 0.2, batch normalisation
    with learned scales, and train until the loss is below 0.001 (0.01 above 40 features).

    Examples
    --------
    >>> import numpy as np
    >>> from slad.detectors import ICL
    >>> rng = np.random.default_rng(0)
    >>> normal = rng.normal(size=(500, 1)) * [1, 1, 1, 1] + rng.normal(size=(500, 4)) / 10
    >>> detector = ICL(epochs=10, n_members=2, random_state=0).fit(normal)
    >>> odd = detector.anomaly_score([[2, -2, 2, -2]])[0]
    >>> bool(odd > np.quantile(detector.anomaly_score(normal), 0.9))
    True
    """

    window: int | str = "auto"
    variant: str = "authors"
    temperature: float = 0.01
    max_negatives: int = 1000
    hidden_dim: int = 100
    representation_dim: int = 128
    n_members: int | str = "auto"

    def _method(self, n_rows: int, n_features: int) -> Method:
        width = max(n_features, FEWEST_FEATURES)
        deepod = self.variant == "deepod"
        window = window_length(width, self.variant) if self.window == "auto" else int(self.window)
        if window >= width:
            raise ConfigError(
                f"window={window} with {n_features} features: use fewer than {width}, or 'auto'"
            )
        return InternalContrast(
            n_features,
            MLP("window", (window, max(1, self.hidden_dim // 2), self.representation_dim)),
            MLP("rest", (width - window, self.hidden_dim, self.representation_dim)),
            float(self.temperature),
            self.max_negatives,
            permuted=not deepod and self._member_count(n_rows, n_features) > 1,
            deepod=deepod,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_choice(self, "variant", VARIANTS)
        if self.window != "auto":
            check_number(self, "window", 1)
        check_number(self, "temperature", 1e-6, whole=False)
        for name in ("max_negatives", "hidden_dim", "representation_dim"):
            check_number(self, name, 1)

    def _check_members(self) -> None:
        if self.n_members != "auto":
            super()._check_members()

    def _member_count(self, n_rows: int, n_features: int) -> int:
        if self.n_members == "auto":
            return int(100 / (log(n_rows) + n_features)) + 1
        return super()._member_count(n_rows, n_features)


def window_length(n_features: int, variant: str) -> int:
    """Features of a window, by the paper's rule or by DeepOD's."""
    if n_features <= 40:
        return 2
    if n_features <= 160:
        return 10
    if variant == "authors" or n_features <= 240:
        return n_features - 150
    return n_features - (200 if n_features <= 480 else 400)
