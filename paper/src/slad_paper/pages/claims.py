"""Claims of the paper's text, each with what the records say about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from slad_paper.pages.document import Cell, Table
from slad_paper.pages.tables import table

HEADER = ("the paper says", "verdict", "here")
HOLDS, PARTLY, FAILS = "holds", "holds partly", "does not hold"
NOT_CHECKED = "not checked"


@dataclass(frozen=True)
class Claim:
    text: str
    """What the paper says."""
    verdict: str
    evidence: str
    """What was found here, with its figures."""

    @classmethod
    def checked(cls, text: str, parts: Sequence[bool], evidence: str) -> Claim:
        """Of several things that a claim says: all hold, some of them, or none."""
        return cls(text, HOLDS if all(parts) else PARTLY if any(parts) else FAILS, evidence)

    @classmethod
    def counted(cls, text: str, held: int, of: int, evidence: str) -> Claim:
        """A claim about several cases: it holds in all of them, in at least half, or in fewer."""
        verdict = HOLDS if held == of else PARTLY if 2 * held >= of else FAILS
        return cls(text, verdict if of else NOT_CHECKED, evidence)


def claims_table(claims: Iterable[Claim]) -> Table:
    return table(
        HEADER,
        ([each.text, Cell(each.verdict, each.verdict == HOLDS), each.evidence] for each in claims),
    )
