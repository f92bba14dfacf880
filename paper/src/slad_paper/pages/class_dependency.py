"""Class dependency: losses of every class of Fashion-MNIST after training on one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from slad_paper.pages.boxes import LEGEND, LOWER, MIDDLE, UPPER, draw_boxes, is_wide
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import FAILS, HOLDS, PARTLY, Claim, claims_table
from slad_paper.pages.class_dependency_seen import STATES, Seen, name_of
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.pictures import BLUE, GREY, VERMILION, Axes, Figure, panels
from slad_paper.pages.tables import NOTHING, long, table

RECIPES = ("slad-released", "slad-paper", "slad-subspaces")
SHOWN = (0, 1)
NEAR, OF = 3, 0
"""The paper finds class 3 nearest to class 0."""
COMPARABLE = 0.5
"""Quartile ranges of the trained class by which a new class may be below its upper quartile."""


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of this study's records."""
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
        if mine := [each for each in shown if each.trained == which]:
            title = f"Trained on {name_of(which)}: AUC-ROC of each new class, untrained → trained"
            details += [Heading(title), _each_class(mine)]
    for recipe in RECIPES:
        if mine := [each for each in shown if each.recipe == recipe]:
            caption = f"Losses of all classes after training on one, {recipe}"
            picture = Picture(recipe, caption, partial(_draw, mine))
            details += [Heading(f"Losses, {recipe}"), picture]
    return Report(
        name="class-dependency",
        title="Class dependency: losses of classes that were not trained on",
        brief=brief,
        details=[*details, Notes([f"{LEGEND}; the first model seed; *: the trained class"])],
        data={"classes": _cells(seen)},
    )


# -- the claims ------------------------------------------------------------------------------------


def _claims(shown: Sequence[Seen]) -> Iterator[Claim]:
    """The paper's sentences in its order, each for every recipe."""
    of_zero = [each for each in shown if each.trained == OF]
    yield from map(_lowest, shown)
    yield from map(_quartiles, shown)
    yield from map(_nearest, of_zero)
    yield from map(_still_higher, of_zero)


def _where(each: Seen) -> str:
    return f"({each.recipe}, trained on {name_of(each.trained)})"


def _lowest(each: Seen) -> Claim:
    higher, before = each.higher("trained"), each.higher("untrained")
    return Claim.counted(
        f"the trained class has the lowest losses {_where(each)}",
        len(higher),
        len(each.new),
        f"lower median than {len(higher)} of {len(each.new)} new classes"
        f"{_but(each.new, higher)}; untrained, than {len(before)}",
    )


def _quartiles(each: Seen) -> Claim:
    clear, near = each.clear("trained", 0), each.clear("trained", COMPARABLE)
    return Claim.counted(
        "lower quartiles of new classes are above, or comparable to, its upper quartile "
        + _where(each),
        len(near),
        len(each.new),
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


def _but(every: Sequence[int], held: Sequence[int]) -> str:
    against = [name_of(which) for which in every if which not in held]
    return f", not {', '.join(against)}" if against else ""


# -- tables ----------------------------------------------------------------------------------------


def _every_class(seen: Sequence[Seen]) -> Table:
    by_place = {(each.recipe, each.trained): each for each in seen}
    trained = sorted({each.trained for each in seen})
    recipes = [name for name in RECIPES if any(each.recipe == name for each in seen)]
    lines = [
        [name_of(which), *(_change(by_place.get((recipe, which))) for recipe in recipes)]
        for which in trained
    ]
    means = [_mean([each for each in seen if each.recipe == recipe]) for recipe in recipes]
    last = [["mean", *means]] if len(trained) > 1 else []
    return table(["trained class", *recipes], [*lines, *last])


def _change(each: Seen | None) -> Cell:
    if each is None:
        return Cell(NOTHING)
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
    def cell(each: Seen, which: int) -> Cell:
        before, after = each.auc("untrained", which), each.auc("trained", which)
        return Cell(f"{before:.3f} → {after:.3f}", after > before)

    lines = ([name_of(which), *(cell(each, which) for each in seen)] for which in seen[0].new)
    return table(["new class", *(each.recipe for each in seen)], lines)


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
    return long(
        "recipe trained_class state class auc_roc lower_quartile median upper_quartile",
        (
            (
                *(each.recipe, each.trained, state, which),
                each.auc(state, which) if which != each.trained else None,
                *(quantiles[at] for at in (LOWER, MIDDLE, UPPER)),
            )
            for each in seen
            for state in STATES
            for which, quantiles in enumerate(each.quantiles(state).mean(axis=0))
        ),
    )


# -- picture ---------------------------------------------------------------------------------------

LINEAR = 2.0
"""Quartile ranges to either side that are shown in proportion; beyond, by their logarithm."""
DIGIT = 1e-6
"""The last digit of a recorded loss: no range is smaller."""
RANGES = "loss less the trained class's median,\nin quartile ranges of that class"


def _draw(seen: Sequence[Seen]) -> Figure:
    """A box for each class; a column for each trained class, the trained network above.

    Losses that hardly differ are shown in quartile ranges of the trained class.
    """
    count = len(seen)
    figure, axes = panels(
        len(STATES) * count, count, (4.4, 3.2), (0.5, 0.0), sharex="col", sharey="row"
    )
    for at, (state, title) in enumerate(STATES.items()):
        line = axes[at * count : (at + 1) * count]
        boxes = [each.quantiles(state)[0].tolist() for each in seen]
        wide = all(map(is_wide, boxes))
        line[0].set_ylabel("loss" if wide else RANGES)
        for axis, each, of_classes in zip(line, seen, boxes, strict=True):
            axis.set_title(f"trained on {each.trained}, {title}")
            if wide:
                axis.set_yscale("log")
            else:
                axis.set_yscale("symlog", linthresh=LINEAR, linscale=LINEAR)
                axis.yaxis.set_major_formatter("{x:g}")
                of_classes = _in_ranges_of(of_classes[each.trained], of_classes)
            _panel(axis, each, of_classes)
    for axis, each in zip(axes[-count:], seen, strict=True):
        labels = [_label(which, each.trained) for which in range(10)]
        axis.set_xticks(range(10), labels, rotation=40, ha="right", rotation_mode="anchor")
    figure.supxlabel("dashed: the upper quartile of the trained class (*)", fontsize=8, color=GREY)
    return figure


def _in_ranges_of(own: Sequence[float], boxes: Sequence[Sequence[float]]) -> list[list[float]]:
    """Losses moved and stretched so that the trained class has median 0 and quartile range 1."""
    unit = max(own[UPPER] - own[LOWER], DIGIT * abs(own[MIDDLE]))
    return [[(value - own[MIDDLE]) / unit for value in box] for box in boxes]


def _panel(axis: Axes, each: Seen, boxes: Sequence[Sequence[float]]) -> None:
    draw_boxes(axis, each.new, [boxes[which] for which in each.new], GREY, width=0.6)
    draw_boxes(axis, [each.trained], [boxes[each.trained]], BLUE, width=0.6)
    axis.axhline(boxes[each.trained][UPPER], color=VERMILION, ls="--", lw=1)
    axis.grid(axis="y")


def _label(which: int, trained: int) -> str:
    number, _, name = name_of(which).partition(" ")
    return f"{number}{'*' if which == trained else ''} {name.strip('()')}"
