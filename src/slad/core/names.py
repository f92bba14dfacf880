"""The error for an unknown name, with suggestions."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from slad.core.errors import ConfigError


def unknown(kind: str, name: object, known: Iterable[str]) -> ConfigError:
    """The error for a name that is not among `known`, with the nearest ones and the list.

    >>> print(unknown("detector", "knn1", ["knn-1", "knn-5", "lof"]))
    no detector is called 'knn1'; did you mean knn-1, knn-5? There are: knn-1, knn-5, lof
    """
    names, given = list(known), str(name).casefold()
    folded = {each.casefold(): each for each in names}
    near = [folded[match] for match in get_close_matches(given, folded, n=3, cutoff=0.5)]
    near += [each for each in names if given in each.casefold() and each not in near][:3]
    guess = f"; did you mean {', '.join(near)}?" if near else "."
    return ConfigError(f"no {kind} is called {name!r}{guess} There are: {', '.join(names)}")
