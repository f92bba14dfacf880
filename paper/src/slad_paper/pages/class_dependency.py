"""Class dependency: losses of every class of Fashion-MNIST after training on one of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from slad_paper.pages.boxes import LEGEND, LOWER, MIDDLE, UPPER
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import FAILS, HOLDS, PARTLY, Claim, claims_table
from slad_paper.pages.class_dependency_picture import draw
from slad_paper.pages.class_dependency_seen import STATES, Seen, name_of
from slad_paper.pages.document import (
    Cell,
    Heading,
    Notes,
    Part,
    Picture,
    Report,
    Table,
    Value,
    plain,
)

RECIPES = ("slad-released", "slad-paper", "slad-subspaces")
SHOWN = (0, 1)
NEAR, OF = 3, 0
"""The paper finds class 3 nearest to class 0."""
COMPARABLE = 0.5
"""Quartile ranges of the trained class by which a new class may be below its upper quartile."""


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of the records of this study."""
    order = {name: at for at, name in enumerate(RECIPES)}
    seen = sorted(map(Seen, records), key=lambda each: (order[each.recipe], each.trained))
    shown = [each for each in seen if each.trained in SHOWN]
    brief: list[Part] = [
        Heading("The paper's claims"),
        claims_table(_claims(shown)),
        Heading("AUC-ROC of all new classes against the trained one"),
        _every_class(seen),
        Notes(_about(seen)),
    ]
    details: list[Part] = []
    for which in SHOWN:
        mine = [each for each in shown if each.trained == which]
        if mine:
            title = f"Trained on {name_of(which)}: AUC-ROC of each new class, untrained → trained"
            details += [Heading(title), _each_class(mine)]
    for recipe in RECIPES:
        mine = [each for each in shown if each.recipe == recipe]
        if mine:
            caption = f"Losses of all classes after training on one, {recipe}"
            picture = Picture(recipe, caption, partial(draw, mine))
            details += [Heading(f"Losses, {recipe}"), picture]
    return Report(
        name="class-dependency",
        title="Class dependency: losses of classes that were not trained on",
        brief=brief,
        details=[*details, Notes([f"{LEGEND}; the first model seed; *: the trained class"])],
        data={"classes": _cells(seen)},
    )


# -- the claims ------------------------------------------------------------------------------------


def _claims(shown: Sequence[Seen]) -> list[Claim]:
    """The paper's sentences in its order, each for every recipe."""
    judged = [(_lowest, shown), (_quartiles, shown)]
    of_zero = [each for each in shown if each.trained == OF]
    judged += [(_nearest, of_zero), (_still_higher, of_zero)]
    return [judge(each) for judge, mine in judged for each in mine]


def _where(each: Seen) -> str:
    return f"({each.recipe}, trained on {name_of(each.trained)})"


def _lowest(each: Seen) -> Claim:
    higher, before = each.higher("trained"), each.higher("untrained")
    return Claim(
        f"the trained class has the lowest losses {_where(each)}",
        _verdict(len(higher), len(each.new)),
        f"lower median than {len(higher)} of {len(each.new)} new classes"
        f"{_but(each.new, higher)}; untrained, than {len(before)}",
    )


def _quartiles(each: Seen) -> Claim:
    clear, near = each.clear("trained", 0), each.clear("trained", COMPARABLE)
    return Claim(
        "lower quartiles of new classes are above, or comparable to, its upper quartile "
        + _where(each),
        _verdict(len(near), len(each.new)),
        f"above: {len(clear)} of {len(each.new)}; above, or less than {COMPARABLE:g} of its "
        f"quartile range below: {len(near)}{_but(each.new, near)}; untrained: "
        f"{len(each.clear('untrained', COMPARABLE))}",
    )


def _nearest(each: Seen) -> Claim:
    places = each.places()
    place = list(places).index(NEAR) + 1
    shown = ", ".join(f"{name_of(which)} {mean:.1f}" for which, mean in list(places.items())[:3])
    return Claim(
        f"class {NEAR} is nearest to class {OF} {_where(each)}",
        HOLDS if place == 1 else PARTLY if place <= 3 else FAILS,
        f"place {place} of {len(places)} by median loss; lowest, with their mean places: {shown}",
    )


def _still_higher(each: Seen) -> Claim:
    auc = each.auc("trained", NEAR)
    return Claim(
        f"class {NEAR} still has higher losses than class {OF} {_where(each)}",
        HOLDS if NEAR in each.higher("trained") and auc > 0.5 else FAILS,
        f"AUC-ROC {auc:.3f} (of class 2, pullovers: {each.auc('trained', 2):.3f})",
    )


def _verdict(held: int, of: int) -> str:
    return HOLDS if held == of else PARTLY if 2 * held >= of else FAILS


def _but(every: Sequence[int], held: Sequence[int]) -> str:
    against = [name_of(which) for which in every if which not in held]
    return f", not {', '.join(against)}" if against else ""


# -- tables ----------------------------------------------------------------------------------------


def _every_class(seen: Sequence[Seen]) -> Table:
    by_place = {(each.recipe, each.trained): each for each in seen}
    trained = sorted({each.trained for each in seen})
    recipes = [name for name in RECIPES if any(each.recipe == name for each in seen)]
    lines = []
    for which in trained:
        cells = [Cell(name_of(which))]
        for recipe in recipes:
            each = by_place.get((recipe, which))
            cells.append(_change(each) if each else Cell("–"))
        lines.append(cells)
    if len(trained) > 1:
        lines.append(plain(["mean", *(_mean([e for e in seen if e.recipe == r]) for r in recipes)]))
    return Table(["trained class", *recipes], lines)


def _change(each: Seen) -> Cell:
    before, after = (each.auc_of_all(state) for state in ("untrained", "trained"))
    text = f"{before.mean():.3f} → {after.mean():.3f} ± {after.std():.3f}"
    return Cell(text, bool(after.mean() > before.mean()))


def _mean(seen: Sequence[Seen]) -> str:
    before, after = (
        np.mean([each.auc_of_all(state).mean() for each in seen])
        for state in ("untrained", "trained")
    )
    return f"{before:.3f} → {after:.3f}"


def _each_class(seen: Sequence[Seen]) -> Table:
    lines = []
    for which in seen[0].new:
        cells = [Cell(name_of(which))]
        for each in seen:
            before, after = each.auc("untrained", which), each.auc("trained", which)
            cells.append(Cell(f"{before:.3f} → {after:.3f}", after > before))
        lines.append(cells)
    return Table(["new class", *(each.recipe for each in seen)], lines)


def _about(seen: Sequence[Seen]) -> list[str]:
    rows = seen[0].record.result["rows"]
    seeds = {len(each.auc_of_all("trained")) for each in seen if each.trained in SHOWN}
    others = {len(each.auc_of_all("trained")) for each in seen if each.trained not in SHOWN}
    of_others = f", of the others over {max(others)}" if others else ""
    return [
        f"untrained → trained, bold where training raises it; {rows['train']:,} training images, "
        f"{rows['test']:,} test images of all classes; means over {max(seeds, default=0)} model "
        f"seeds{of_others}, with the deviation over the seeds",
        "the paper calls class 3 pullovers: in Fashion-MNIST it is dresses, and pullovers are "
        "class 2",
    ]


def _cells(seen: Sequence[Seen]) -> list[dict[str, Value]]:
    return [
        {
            "recipe": each.recipe,
            "trained_class": each.trained,
            "state": state,
            "class": which,
            "auc_roc": each.auc(state, which) if which != each.trained else None,
            "lower_quartile": float(quantiles[LOWER]),
            "median": float(quantiles[MIDDLE]),
            "upper_quartile": float(quantiles[UPPER]),
        }
        for each in seen
        for state in STATES
        for which, quantiles in enumerate(each.quantiles(state).mean(axis=0))
    ]
