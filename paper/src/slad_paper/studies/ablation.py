"""The paper's ablation table: SLAD with another T, without G's weights, with other losses.

The released recipe, with one thing changed at a time; the protocol and the documented exceptions
by dataset are those of the main table. What the variants are is said in printed_ablation.toml and,
of the losses, in `slad.detectors.slad.loss`.
"""

from __future__ import annotations

from slad.detectors import SLAD
from slad_paper.datasets import find
from slad_paper.runner.comparison import Comparison, Quick
from slad_paper.runner.printed_ablation import BASE, variants
from slad_paper.studies import effectiveness

CONTENDERS = (BASE, *(variant.ours for variant in variants()))
WITHOUT_WEIGHTS = f"{BASE}[weighting_threshold=0]"
"""Elsewhere features weigh 1 anyway, and it would be the released recipe over again."""

STUDY = Comparison(
    name="ablation",
    datasets=effectiveness.STUDY.datasets,
    seeds=effectiveness.STUDY.seeds,
    split_seed=effectiveness.STUDY.split_seed,
    detectors=CONTENDERS,
    only={
        WITHOUT_WEIGHTS: tuple(
            name
            for name in effectiveness.STUDY.datasets
            if find(name).features < SLAD.released().weighting_threshold
        )
    },
    quick=Quick(max_rows=400, datasets=("thyroid", "arrhythmia")),
    of_dataset=effectiveness.STUDY.of_dataset,
)
