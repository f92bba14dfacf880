"""Claims of the paper's text, each with what the records say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from slad_paper.pages.document import Cell, Table, plain

HEADER = ("the paper says", "verdict", "here")
HOLDS, PARTLY, FAILS = "holds", "holds partly", "does not hold"


@dataclass(frozen=True)
class Claim:
    text: str
    """What the paper says."""
    verdict: str
    evidence: str
    """What was found here, with its figures."""

    @classmethod
    def judged(cls, text: str, parts: Sequence[bool], evidence: str) -> Claim:
        """Of several things that a claim says: all hold, some of them, or none."""
        verdict = HOLDS if all(parts) else PARTLY if any(parts) else FAILS
        return cls(text, verdict, evidence)


def claims_table(claims: Sequence[Claim]) -> Table:
    rows = [
        [Cell(each.text), Cell(each.verdict, each.verdict == HOLDS), *plain([each.evidence])]
        for each in claims
    ]
    return Table(HEADER, rows)
