"""The paper's claims about gradients of inliers and anomalies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from slad.core.former import is_former
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import Claim
from slad_paper.pages.names import SUBSPACES

NEAR = 2.0
"""A value is "about" a number if it is within this factor of it."""
NEAR_EXPONENT = 0.1
PAPER = "the paper's case"
PARTS = {"output": "last layer", "all": "all weights"}

Found = Mapping[str, Mapping[str, Any]]
"""Case -> result."""


def is_near(value: float, claimed: float) -> bool:
    return claimed > 0 and 1 / NEAR <= value / claimed <= NEAR


# -- slad's own network ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Moment:
    """Gradients of one part of the weights: one recipe on one dataset after some epochs.

    All values are means over the seeds.
    """

    dataset: str
    recipe: str
    epoch: int
    part: str
    counts: tuple[int, int]
    """Inliers and anomalies."""
    about: Mapping[str, Mapping[str, float]]
    """"inliers" and "anomalies" -> their `sum`, `single`, `spread` (V) and `mean` (M)."""
    cosine: float

    @property
    def run(self) -> tuple[str, str, int]:
        return self.dataset, self.recipe, self.epoch

    @property
    def name(self) -> str:
        return f"{self.dataset}, {self.recipe}, epoch {self.epoch}"

    @property
    def quotient(self) -> float:
        return self.counts[0] / self.counts[1]

    @property
    def ratio(self) -> float:
        """Of squared sums: expectations first, as the paper has it."""
        return self.about["inliers"]["sum"] / self.about["anomalies"]["sum"]

    @property
    def single(self) -> float:
        """An anomaly's squared gradient against an inlier's."""
        return self.about["anomalies"]["single"] / self.about["inliers"]["single"]

    def squared(self, kind: str, sizes: Sequence[int]) -> np.ndarray:
        """N V + N^2 M of N rows of a kind, drawn at random; M is known up to noise only."""
        n = np.asarray(sizes, dtype=float)
        mean = max(self.about[kind]["mean"], 0.0)
        values: np.ndarray = n * self.about[kind]["spread"] + n**2 * mean
        return values

    def sizes(self, kind: str) -> list[int]:
        count = self.counts[0 if kind == "inliers" else 1]
        return [2**k for k in range(int(np.log2(count)) + 1)]


def moments(records: Sequence[CaseRecord]) -> list[Moment]:
    """Of all records, in their order."""
    found = []
    for record in records:
        if "recipe" in record.settings:
            for part in PARTS:
                for epoch in record.settings["epochs"]:
                    rows = [row[part] for row in record.result["rows"] if row["epoch"] == epoch]
                    found.append(_moment(record, epoch, part, rows))
    return found


def _moment(record: CaseRecord, epoch: int, part: str, rows: Sequence[Mapping[str, Any]]) -> Moment:
    about = {
        kind: {name: float(np.mean([row[kind][name] for row in rows])) for name in rows[0][kind]}
        for kind in ("inliers", "anomalies")
    }
    return Moment(
        record.settings["dataset"],
        _recipe(record),
        epoch,
        part,
        (record.result["inliers"], record.result["anomalies"]),
        about,
        float(np.mean([row["cosine"] for row in rows])),
    )


def _recipe(record: CaseRecord) -> str:
    """In 0.1 "default" were the settings of slad-subspaces."""
    name: str = record.settings["recipe"]
    former = name == "default" and is_former(record.environment.get("slad"))
    return SUBSPACES if former else name


def real_claims(found: Sequence[Moment]) -> Iterator[Claim]:
    """Of the last layer, of which the analysis speaks."""
    mine = [each for each in found if each.part == "output"]
    if not mine:
        return
    least = min(mine, key=lambda each: each.ratio)
    yield Claim.checked(
        "inliers induce a significantly larger gradient (SLAD's own network)",
        [each.ratio > 1 for each in mine],
        f"ratios from {least.ratio:.0f} ({least.name}) to {max(each.ratio for each in mine):,.0f}",
    )
    for text, power in (("(N_in / N_an)^2", 2), ("N_in / N_an", 1)):
        for before in (True, False):
            some = [each for each in mine if (each.epoch == 0) is before]
            near = [each for each in some if is_near(each.ratio, each.quotient**power)]
            shares = [each.ratio / each.quotient**power for each in some]
            yield Claim.checked(
                f"the ratio is about {text} (SLAD's own network, "
                f"{'before' if before else 'after'} training)",
                [each in near for each in some],
                f"within a factor of {NEAR:g} in {len(near)} of {len(some)}; "
                f"{min(shares):.2g} to {max(shares):.2g} times as large",
            )


# -- the network of the analysis -------------------------------------------------------------------


def _growth(result: Mapping[str, Any]) -> Iterator[Claim]:
    line = result["lines"][PAPER]
    low, high = line["exponent_interval"]
    yield Claim.checked(
        "the squared gradient of N rows is Q N^2",
        [abs(line["exponent_of_many"] - 2) < NEAR_EXPONENT],
        f"exponent {line['exponent_of_many']:.3f} from {result['many']} rows on, "
        f"{line['exponent']:.3f} ({low:.3f} to {high:.3f}) from one row on: N V + N^2 M with "
        f"V/M = {line['spread'] / line['mean']:.1f} rows",
    )


def _ratio(result: Mapping[str, Any]) -> Iterator[Claim]:
    pairs = list(zip(result["inliers"], result["anomalies"], strict=True))
    uneven = [at for at, (inliers, anomalies) in enumerate(pairs) if inliers > 2 * anomalies]
    for text, power in (("text: (N_in / N_an)^2", 2), ("appendix: N_in / N_an", 1)):
        shares = {
            kind: [line["ratio"][at] / (pairs[at][0] / pairs[at][1]) ** power for at in uneven]
            for kind, line in result["lines"].items()
        }
        yield Claim.checked(
            f"the ratio of inliers to anomalies is about, {text}",
            [is_near(share, 1.0) for each in shares.values() for share in each],
            "; ".join(
                f"anomalies {'like inliers' if kind == 'the same' else kind}: "
                f"{min(each):.3g} to {max(each):.3g} times as large"
                for kind, each in shares.items()
            ),
        )


def _constant(result: Mapping[str, Any]) -> Iterator[Claim]:
    rows = [row for row in result["rows"] if row["spread"] == 1.0]
    positive = [row["printed"] / row["simulated"] for row in rows if row["printed"] > 0]
    negative = sorted({row["outputs"] for row in rows if row["printed"] < 0})
    yield Claim.checked(
        "Q is the printed constant",
        [is_near(row["simulated"], row["printed"]) for row in rows],
        f"{min(positive):.2g} to {max(positive):,.0f} times the simulated one; negative, as no "
        f"square can be, for c = {' and '.join(map(str, negative))}",
    )
    small = [row for row in result["rows"] if row["spread"] < 1.0]
    repaired = [[row["repaired"] / row["simulated"] for row in some] for some in (small, rows)]
    yield Claim.checked(
        "Q by the same expansion without slips: u^2 (c - 1)^3 / 768 c^5",
        [all(is_near(share, 1.0) for share in shares) for shares in repaired],
        f"{min(repaired[0]):.2f} to {max(repaired[0]):.2f} times the simulated one for weights in "
        f"[-{small[0]['spread']:g}, {small[0]['spread']:g}]; {min(repaired[1]):.2f} to "
        f"{max(repaired[1]):.0f} times for [-1, 1], too wide for an expansion at 0",
    )
    claimed = {"h_i h_j": 1 / 4, "h_i^2 h_j^2": 1 / 16, "h_i^3 h_j": 1 / 16}
    yield Claim.checked(
        "units of a random network: E[h_i h_j] = 1/4, E[h_i^2 h_j^2] = E[h_i^3 h_j] = 1/16",
        [is_near(result["moments"][name], value) for name, value in claimed.items()],
        ", ".join(
            f"{result['moments'][name]:.4f} ({value:g} claimed)" for name, value in claimed.items()
        ),
    )


CHECKS: dict[str, Callable[[Mapping[str, Any]], Iterator[Claim]]] = {
    "growth": _growth,
    "ratio": _ratio,
    "constant": _constant,
}


def claims_of(records: Sequence[CaseRecord]) -> list[Claim]:
    """The claims for which there are records."""
    found = {record.case: record.result for record in records}
    made_up = [
        claim for case, check in CHECKS.items() if case in found for claim in check(found[case])
    ]
    return [*made_up, *real_claims(moments(records))]
