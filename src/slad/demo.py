"""The main job on a table that scikit-learn carries: find malignant tumours among benign ones.

SLAD sees half of the benign rows and no label; it then ranks all other rows.
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

from slad.datasets import load
from slad.datasets.protocol import half_normal_split
from slad.detectors import SLAD


def main(seed: int = 0) -> None:
    data = load("breast-cancer")
    split = half_normal_split(data.X, data.y, seed)
    labels = split.test_labels

    print(
        f"Breast cancer table: {len(split.train)} benign rows to learn from, "
        f"{len(split.test)} rows to rank"
    )
    start = time.perf_counter()
    detector = SLAD(random_state=seed, verbose=True).fit(split.train)
    fitted = time.perf_counter()
    scores = detector.anomaly_score(split.test)
    scored = time.perf_counter()

    print(f"AUC-ROC {roc_auc_score(labels, scores):.3f}")
    print(f"AUC-PR  {average_precision_score(labels, scores):.3f}", end=" ")
    print(f"(a random order would have {labels.mean():.3f})")
    print(f"seconds: fit {fitted - start:.2f}, score {scored - fitted:.3f}")
    print("\nThe ten strangest rows")
    print("rank    row    score  truth")
    for rank, place in enumerate(np.argsort(-scores)[:10], start=1):
        truth = "malignant" if labels[place] else "benign"
        print(f"{rank:4d}  {split.test_rows[place]:5d}  {scores[place]:7.4f}  {truth}")


if __name__ == "__main__":
    main()
