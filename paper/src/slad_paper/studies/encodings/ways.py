"""Ways to turn a table into numbers: slad's, parts of it, and what people use elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

from slad.tables import ColumnPlan, Encoder

Encoded = tuple[np.ndarray, np.ndarray]
Way = Callable[[pa.Table, pa.Table, Sequence[ColumnPlan], int], Encoded]
"""(training rows, test rows, plan, seed) -> both as numbers."""


def slad(train: pa.Table, test: pa.Table, plan: Sequence[ColumnPlan], seed: int) -> Encoded:
    encoder = Encoder.fit(train, plan)
    return encoder.transform(train), encoder.transform(test)


def _part(keep: Callable[[list[int]], list[int]]) -> Way:
    """slad's way with some features of categories and texts only: the last one is the rarity."""

    def way(train: pa.Table, test: pa.Table, plan: Sequence[ColumnPlan], seed: int) -> Encoded:
        encoder = Encoder.fit(train, plan)
        kept: list[int] = []
        for each in encoder.columns:
            block = list(range(each.start, each.stop))
            kept += keep(block) if each.kind in ("category", "text") else block
        return encoder.transform(train)[:, kept], encoder.transform(test)[:, kept]

    return way


def flags(train: pa.Table, test: pa.Table, plan: Sequence[ColumnPlan], seed: int) -> Encoded:
    """slad's way, and a flag for each common value of a category."""
    names = [each.name for each in plan if each.kind == "category"]
    first, second = slad(train, test, plan, seed)
    if not names:
        return first, second
    onehot = OneHotEncoder(
        handle_unknown="ignore", max_categories=12, min_frequency=0.01, sparse_output=False
    )
    more = onehot.fit_transform(train.select(names).to_pandas())
    later = onehot.transform(test.select(names).to_pandas())
    return np.column_stack([first, more]), np.column_stack([second, later])


def plain(train: pa.Table, test: pa.Table, plan: Sequence[ColumnPlan], seed: int) -> Encoded:
    """Medians for what is missing, one column for each of up to 30 values: scikit-learn alone."""
    used = [each for each in plan if each.used]
    words = [each.name for each in used if each.kind in ("category", "text", "boolean")]
    numbers = [each.name for each in used if each.name not in words]
    onehot = OneHotEncoder(
        handle_unknown="infrequent_if_exist", max_categories=30, sparse_output=False
    )
    both = ColumnTransformer([("n", SimpleImputer(), numbers), ("w", onehot, words)])
    frames = [_pandas(each, used) for each in (train, test)]
    both.set_params(n__strategy="median").fit(frames[0])
    return both.transform(frames[0]), both.transform(frames[1])


def skrub(train: pa.Table, test: pa.Table, plan: Sequence[ColumnPlan], seed: int) -> Encoded:
    """skrub's TableVectorizer as it comes, and medians for what it leaves missing."""
    from skrub import StringEncoder, TableVectorizer

    names = [each.name for each in plan if each.used]
    vectorizer = TableVectorizer(high_cardinality=StringEncoder(random_state=seed))
    first = vectorizer.fit_transform(train.select(names).to_pandas())
    second = vectorizer.transform(test.select(names).to_pandas())
    fill = SimpleImputer(strategy="median", keep_empty_features=True).fit(first)
    return fill.transform(first), fill.transform(second)


def _pandas(frame: pa.Table, used: Sequence[ColumnPlan]) -> Any:
    table = frame.select([each.name for each in used])
    for at, each in enumerate(used):
        column = table.column(at)
        if each.kind == "time":
            seconds = column.cast(pa.timestamp("s")).cast(pa.int64()).cast(pa.float64())
            table = table.set_column(at, each.name, seconds)
        elif each.kind == "boolean":
            table = table.set_column(at, each.name, column.cast(pa.string()))
    return table.to_pandas()


WAYS: dict[str, Way] = {
    "slad.tables": slad,
    "rarity only": _part(lambda block: block[-1:]),
    "without rarity": _part(lambda block: block[:-1]),
    "with flags": flags,
    "one-hot and median": plain,
    "skrub": skrub,
}
