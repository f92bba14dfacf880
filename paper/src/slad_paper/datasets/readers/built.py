"""Tables without a file: generated, or carried by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from slad_paper.datasets.breiman import waveforms
from slad_paper.datasets.catalog import Entry
from slad_paper.datasets.planted import planted
from slad_paper.datasets.readers.raw import Raw


def read_breiman(entry: Entry, paths: Sequence[Path] = ()) -> Raw:
    return Raw(*waveforms(entry.rows, entry.anomalies, seed=entry.options["seed"]))


def read_planted(entry: Entry, paths: Sequence[Path] = ()) -> Raw:
    kind, seed = entry.options["kind"], entry.options["seed"]
    return Raw(*planted(kind, entry.rows, entry.anomalies, entry.features, seed=seed))


def read_embedded(entry: Entry, paths: Sequence[Path] = ()) -> Raw:
    """A table of scikit-learn; options.anomaly is the class of anomalies, options.keep how many
    of them stay."""
    from sklearn import datasets

    loaders = {
        "breast-cancer": datasets.load_breast_cancer,
        "wine": datasets.load_wine,
        "digits": datasets.load_digits,
    }
    table = loaders[entry.name]()
    y = (table.target == entry.options["anomaly"]).astype(np.int64)
    keep = entry.options.get("keep", len(y))
    rows = np.flatnonzero((y == 0) | (np.cumsum(y) <= keep))
    return Raw(table.data[rows], y[rows], tuple(map(str, table.feature_names)))
