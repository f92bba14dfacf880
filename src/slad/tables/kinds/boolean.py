"""True and false: encoded as 1 and 0, and put into words like a category."""

from __future__ import annotations

import pyarrow as pa

from slad.tables.arrow_types import BOOLEAN, family
from slad.tables.kinds.facts import Facts
from slad.tables.kinds.kind import Kind, Picture
from slad.tables.kinds.number import NumberEncoder
from slad.tables.kinds.pictures import bars
from slad.tables.kinds.shares import SharesUsual


class BooleanKind(Kind):
    name = "boolean"
    encoder_type = NumberEncoder
    usual_type = SharesUsual
    is_numeric = True

    def recognises(self, name: str, facts: Facts) -> bool:
        return family(facts.type) == BOOLEAN

    def picture(self, column: pa.ChunkedArray) -> Picture | None:
        return bars(column)
