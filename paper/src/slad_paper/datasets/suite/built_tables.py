"""Tables that no archive holds as such: Fashion-MNIST, embedded texts, scikit-learn's own.

What embeds images or texts is fitted on images and texts that are in no task.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np

from slad.core.errors import DataError
from slad_paper.datasets.catalog import find
from slad_paper.datasets.loading import at_hand
from slad_paper.datasets.readers.idx import read_idx
from slad_paper.datasets.suite.archives import archive, read_member
from slad_paper.datasets.suite.raw_table import RawTable

OF_EACH_CLASS = 1000
"""Images of each class that tasks are made of: the first ones."""
COMPONENTS = 30
TEXTS = {"tweet": "tweets", "editorial": "nytEditorialSnippets"}
"""Class: file. The corpus has reviews, too, which ADBench also has, though others."""


def fashion(member: str, folder: Path) -> RawTable:
    """Images of Fashion-MNIST as pixels, or as principal components of the test images."""
    images, classes, others = _images()
    if member == "pixels":
        return RawTable(images, classes=classes)
    centre = others.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(others.T))
    axes = axes[:, ::-1][:, :COMPONENTS]
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(COMPONENTS)])
    return RawTable(((images - centre) @ axes).round(1), classes=classes)


@lru_cache(maxsize=1)
def _images() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Images of the training part with their classes, and images of the test part."""
    entry = find("fmnist-0")
    paths = at_hand(entry, None, download=False)
    images, classes = read_idx(paths[0], dimensions=3), read_idx(paths[1], dimensions=1)
    first = [np.flatnonzero(classes == each)[:OF_EACH_CLASS] for each in range(10)]
    rows = np.concatenate(first)
    others = read_idx(paths[2], dimensions=3)
    if not len(others) < len(images):
        raise DataError(f"{paths[2]} is not the test part of Fashion-MNIST: {len(others)} images")
    flat = images[rows].reshape(len(rows), -1).astype(float)
    return flat, classes[rows].astype(str), others.reshape(len(others), -1).astype(float)


def texts(member: str, folder: Path) -> RawTable:
    """Short texts as `member` directions of latent semantic analysis.

    Words are weighted and directions found on every second text, which is in no task.
    """
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    written, classes = _texts(folder)
    words = TfidfVectorizer(min_df=3, sublinear_tf=True)
    directions = TruncatedSVD(int(member), algorithm="arpack", random_state=0)
    directions.fit(words.fit_transform(written[::2]))
    return RawTable(
        directions.transform(words.transform(written[1::2])).round(4), (), classes[1::2]
    )


def _texts(folder: Path) -> tuple[list[str], np.ndarray]:
    written: list[str] = []
    classes: list[str] = []
    for name, file in TEXTS.items():
        content = read_member(archive("vaderSentiment"), file, folder)
        lines = content.decode("utf-8", "replace").splitlines()
        found = [line.split("\t", 2)[2] for line in lines if line.count("\t") >= 2]
        written += found
        classes += [name] * len(found)
    return written, np.array(classes)


def scikit_learn(member: str, folder: Path) -> RawTable:
    """The one table of scikit-learn that is neither ADBench's nor too small: diabetes."""
    from sklearn.datasets import load_diabetes

    return RawTable(load_diabetes(scaled=False).data)


BUILT: dict[str, Callable[[str, Path], RawTable]] = {
    "fashion": fashion,
    "texts": texts,
    "scikit-learn": scikit_learn,
}
"""What stands for an archive in a recipe -> what makes its tables."""
ABOUT = {
    "fashion": ("MIT", "Fashion-MNIST (fmnist-0 in the catalog)"),
    "texts": (archive("vaderSentiment").licence, archive("vaderSentiment").source),
    "scikit-learn": ("BSD-3-Clause (scikit-learn)", "scikit-learn"),
}
"""Licence and source of each."""
