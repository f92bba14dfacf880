"""The studies of the laboratory, all of which `slad reproduce NAME` starts."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from slad_paper.runner.study import Study

Kind = Literal["paper", "beyond", "search"]
"""A table or figure of the paper, a question beyond it, or a search for better settings."""


@dataclass(frozen=True)
class Entry:
    """A study in the registry, which is read without loading the study."""

    module: str
    """The module under `slad_paper.studies` whose `STUDY` it is."""
    summary: str
    kind: Kind = "paper"
    compares: bool = False
    """Whether it runs detectors on datasets, of which some can be chosen; else it has cases."""

    def load(self) -> Study:
        study: Study = import_module(f"{__name__}.{self.module}").STUDY
        return study


STUDIES: dict[str, Entry] = {
    "effectiveness": Entry(
        "effectiveness", "the paper's main table: ten datasets, five model seeds", compares=True
    ),
    "adbench": Entry(
        "adbench",
        "the paper's ADBench table: average ranks over the classical sets, with tests",
        compares=True,
    ),
    "variety": Entry(
        "variety",
        "the paper's figure of complicated normal data: one to nine normal classes",
        compares=True,
    ),
    "contamination": Entry(
        "contamination",
        "the paper's figure of anomalies among the training rows, up to a tenth",
        compares=True,
    ),
    "ablation": Entry(
        "ablation",
        "the paper's ablation: other maps, no feature weights, other losses",
        compares=True,
    ),
    "sensitivity": Entry(
        "sensitivity",
        "the paper's figure of four hyper-parameters: c, r, h and gamma",
        compares=True,
    ),
    "inlier-priority": Entry(
        "inlier_priority",
        "the paper's figure of losses during training, inliers against anomalies",
    ),
    "class-dependency": Entry(
        "class_dependency", "the paper's figure of losses of classes that were not trained on"
    ),
    "bound": Entry(
        "bound",
        "the paper's theorem on useful subspaces, its figure, and a search for exceptions",
    ),
    "gradients": Entry("gradients", "the paper's analysis of gradients: inliers against anomalies"),
    "scalability": Entry(
        "scalability",
        "the paper's scalability test: seconds against features and rows, by device",
    ),
    "series": Entry("series", "scale learning on time series, a direction that the paper names"),
    "representation": Entry(
        "representation",
        "predicted scales as features for classifiers, another direction it names",
    ),
    "interpretation": Entry(
        "interpretation", "losses of subspaces as explanations, the third direction it names"
    ),
    "sharded": Entry(
        "sharded",
        "fits in memory, from a stream and by several processes: are they as good?",
        "beyond",
    ),
    "fidelity": Entry(
        "fidelity",
        "what each difference between the paper and its released code is worth",
        "beyond",
    ),
    "rivals": Entry(
        "rivals",
        "our detectors against figures of other implementations (SLAD_REFERENCE)",
        "beyond",
        compares=True,
    ),
    "rivals-peer": Entry(
        "rivals_peer", "DeepOD itself on our rows, where ours is behind (SLAD_PEERS)", "beyond"
    ),
    "false-alarms": Entry(
        "false_alarms", "whether promised false-alarm rates hold on real tables", "beyond"
    ),
    "score-errors": Entry(
        "score_errors", "whether scores move by their errors under another seed", "beyond"
    ),
    "culprits": Entry(
        "culprits.study", "whether explanations name the column that was changed", "beyond"
    ),
    "mixed-culprits": Entry(
        "mixed_culprits", "the same for mixed tables, through the whole model", "beyond"
    ),
    "encodings": Entry(
        "encodings.study", "which encoding of mixed tables finds anomalies best", "beyond"
    ),
    "tuning": Entry(
        "tuning",
        "detectors on the tuning suite, which shares no source with ADBench",
        "search",
        compares=True,
    ),
    "subspace-search": Entry(
        "subspace_search", "variants of the paper's scale learning on the tuning suite", "search"
    ),
}
"""All studies, in the order of the help text."""
