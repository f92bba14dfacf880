"""The kinds of columns: one file and one line of the registry each.

A kind says which columns it recognises, how they become numbers, what is usual in them, how that is
put into words, and what is drawn of them. Nothing outside this package looks at a kind's name.
"""

from slad.tables.kinds.choice import CONSTANT, DROPPED, EMPTY, ID, LEFT_OUT, Choice, choose
from slad.tables.kinds.encoding import ColumnEncoder, Summary
from slad.tables.kinds.facts import ColumnFacts, Facts
from slad.tables.kinds.kind import Kind, Picture
from slad.tables.kinds.registry import KINDS, usual_from_state, usual_values
from slad.tables.kinds.usual import Usual

__all__ = [
    "CONSTANT",
    "DROPPED",
    "EMPTY",
    "ID",
    "KINDS",
    "LEFT_OUT",
    "Choice",
    "ColumnEncoder",
    "ColumnFacts",
    "Facts",
    "Kind",
    "Picture",
    "Summary",
    "Usual",
    "choose",
    "usual_from_state",
    "usual_values",
]
