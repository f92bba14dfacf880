"""`Kind`: all that is known of one kind of column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import pyarrow as pa

from slad.tables.kinds.encoding import ColumnEncoder
from slad.tables.kinds.facts import Facts
from slad.tables.kinds.usual import Usual

Picture = dict[str, Any]
"""Plain values to draw: "edges" and "counts" of a histogram, or "levels" and "counts" of bars. A
histogram with "axis": "time" has seconds since 1970 for edges."""


class Kind(ABC):
    """One kind of column. To add one: a subclass in a file of its own, and a line in `registry`."""

    name: ClassVar[str]
    """As it stands in plans, reports and saved models."""
    encoder_type: ClassVar[type[ColumnEncoder]]
    usual_type: ClassVar[type[Usual]]
    may_be_id: ClassVar[bool] = True
    """Whether a column is left out as an id where its values are (nearly) all different."""
    is_numeric: ClassVar[bool] = False
    """Whether the cells are numbers or booleans, and `NumberEncoder` encodes them as they are."""

    @abstractmethod
    def recognises(self, name: str, facts: Facts) -> bool:
        """Whether this is the kind of a column, of which at least one cell is not missing."""

    def note(self, facts: Facts) -> str:
        """What is unusual about a column of this kind; mostly nothing."""
        return ""

    def picture(self, column: pa.ChunkedArray) -> Picture | None:
        """How the values of a column are spread; None where nothing is drawn."""
        return None
