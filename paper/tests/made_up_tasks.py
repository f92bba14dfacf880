"""Made-up tasks, as the network sees tables, and small settings to learn from them."""

from __future__ import annotations

import numpy as np

from slad.detectors.signals.profile import LEVELS, Extremes
from slad_paper.signals.table_inputs import OWN, TRAINING, Task
from slad_paper.signals.training import Settings

SIGNAL = 7
"""The one signal that tells anomalies from normal rows."""
TELLS = len(LEVELS) + SIGNAL
"""The place of its distance among the inputs, in the first look."""
SMALL = Settings(hidden=4, members=2, steps=3, tables=4, anomalies=4, normal=8)


def made_up_task(
    table: str = "a", group: str = "a", case: str = "clean", rows: int = 60, odd: int = 6
) -> Task:
    """Noise, in which anomalies have a higher distance by one signal and the rows a random order.

    What is drawn depends on the table and the case alone.
    """
    rng = np.random.default_rng([*table.encode(), *case.encode()])
    looks = 1 if TRAINING[case] == "clean" else 2
    inputs = rng.normal(size=(rows, looks * sum(Extremes.sizes())))
    labels = rng.permutation(np.repeat([0, 1], [rows - odd, odd]))
    inputs[:, TELLS] += 4 * labels
    fold = rng.permutation(np.arange(rows) % 5) if case in OWN else np.zeros(rows)
    return Task(
        table, group, case, inputs.astype(np.float16), labels.astype(np.int8), fold.astype(np.int8)
    )
