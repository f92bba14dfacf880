"""The inlier-priority property: how losses of test inliers and anomalies part during training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from slad_paper.pages.boxes import LEGEND
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import NOT_CHECKED, Claim, claims_table
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.inlier_priority_course import Course, by_row, course_of
from slad_paper.pages.inlier_priority_pictures import draw_auc, draw_boxes_of
from slad_paper.pages.statistics import wilcoxon
from slad_paper.pages.tables import NOTHING, long, table
from slad_paper.runner import printed

RECIPES = ("slad-released", "slad-paper", "slad-subspaces")
FALL = 0.1
"""Fraction of its first value by which a median loss has clearly fallen."""
REDUCED = ("Amazon (tab)", "Yelp (tab)")


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of this study's records."""
    courses = [
        course_of(recipe, row, mine)
        for recipe in RECIPES
        for row, mine in by_row(records, recipe).items()
    ]
    return Report(
        name="inlier-priority",
        title="The inlier-priority property: losses during training",
        brief=[
            Heading("The paper's claims"),
            claims_table(_claims(courses)),
            Heading("Before training and after it"),
            _table(courses),
            Notes([*_about(records), *_against(records)]),
        ],
        details=[*_single(records), *_pictures(records, courses)],
        data={"epochs": _cells(courses)},
    )


# -- the claims ------------------------------------------------------------------------------------


def _claims(courses: Sequence[Course]) -> Iterator[Claim]:
    by_recipe: dict[str, list[Course]] = {}
    for course in courses:
        by_recipe.setdefault(course.recipe, []).append(course)
    for check in (_lower, _apart, _priority):
        for recipe, mine in by_recipe.items():
            yield check(recipe, mine)
    if not {course.row for course in courses} & set(REDUCED):
        yield _reduced(courses)


def _reduced(courses: Sequence[Course]) -> Claim:
    """The paper's claim about two datasets whose data are not available."""
    method = [course for course in courses if course.recipe == RECIPES[0]]
    fell = [course.row for course in method if course.anomalies[-1] < 1 - FALL]
    return Claim(
        f"on {' and '.join(REDUCED)} the losses of anomalies clearly fall, too",
        NOT_CHECKED,
        f"no data here; but they fall by more than {FALL:.0%} on {len(fell)} of {len(method)} "
        f"others ({RECIPES[0]})",
    )


def _lower(recipe: str, courses: Sequence[Course]) -> Claim:
    held = {course.row: course.auc[-1] > 0.5 and course.gap[-1] > 0 for course in courses}
    mean = np.mean([course.auc[-1] for course in courses])
    evidence = f"{_counted(held)}; mean AUC-ROC after training {mean:.3f}"
    return _claim(f"test inliers have lower losses than anomalies ({recipe})", held, evidence)


def _apart(recipe: str, courses: Sequence[Course]) -> Claim:
    held = {
        course.row: course.auc[-1] > course.auc[0]
        and course.gap[-1] > course.gap[0]
        and course.trend > 0
        for course in courses
    }
    first, once, last = (np.array([course.auc[at] for course in courses]) for at in (0, 1, -1))
    evidence = (
        f"AUC-ROC, gap and trend rise: {_counted(held)}; mean AUC-ROC {first.mean():.3f} "
        f"untrained, {once.mean():.3f} after one epoch, {last.mean():.3f} trained (Wilcoxon over "
        f"the datasets, untrained against trained: p = {wilcoxon(last - first):.3f})"
    )
    return _claim(f"the two are gradually separated ({recipe})", held, evidence)


def _priority(recipe: str, courses: Sequence[Course]) -> Claim:
    held = {course.row: course.inliers[-1] < min(course.anomalies[-1], 1) for course in courses}
    fell = [course.row for course in courses if course.anomalies[-1] < 1 - FALL]
    evidence = (
        f"the median of inliers falls by the larger fraction: {_counted(held)}; that of anomalies "
        f"falls by more than {FALL:.0%} itself on {len(fell)}"
    )
    return _claim(f"learning prioritises inliers ({recipe})", held, evidence)


def _claim(text: str, held: Mapping[str, bool], evidence: str) -> Claim:
    return Claim.counted(text, sum(held.values()), len(held), evidence)


def _counted(held: Mapping[str, bool]) -> str:
    against = [row for row, holds in held.items() if not holds]
    names = f", not on {', '.join(against)}" if against else ""
    return f"on {len(held) - len(against)} of {len(held)}{names}"


# -- tables ----------------------------------------------------------------------------------------


def _table(courses: Sequence[Course]) -> Table:
    header = ["dataset", "recipe", "epochs", "AUC untrained", "after 1 epoch", "trained", "trend"]
    header += ["gap untrained", "trained", "inliers' median", "anomalies' median"]
    rows = (
        [
            *(course.row, course.recipe, len(course.auc) - 1),
            *(f"{course.auc[at]:.3f}" for at in (0, 1)),
            Cell(f"{course.auc[-1]:.3f} ± {course.spread:.3f}", course.auc[-1] > course.auc[0]),
            *(f"{course.trend:+.2f}", f"{course.gap[0]:+.2f}"),
            Cell(f"{course.gap[-1]:+.2f}", course.gap[-1] > course.gap[0]),
            *(f"{each[-1]:.2g}" for each in (course.inliers, course.anomalies)),
        ]
        for course in sorted(courses, key=lambda each: _place(each.row))
    )
    return table(header, rows)


def _place(row: str) -> int:
    titles = [each.title for each in printed.rows()]
    return titles.index(row) if row in titles else len(titles)


def _about(records: Sequence[CaseRecord]) -> list[str]:
    settings = records[0].settings
    seeds, share = len(settings["model_seeds"]), settings["contamination"]
    return [
        f"{share:.0%} anomalies among the training rows; means over {seeds} model seeds, of MVTec "
        f"over its sets, too; at most {settings['max_rows']:,} rows of a set",
        "untrained: the network as it was drawn, the control; bold: higher than that",
        "trend: Kendall's rank correlation of AUC-ROC with the epoch",
        "gap: median loss of anomalies less that of inliers, in mean quartile ranges of both",
        "inliers' and anomalies' median: the loss after training as a share of that before",
    ]


def _against(records: Sequence[CaseRecord]) -> Iterator[str]:
    """The single sets on which training lowers AUC-ROC, or leaves it below chance."""
    for recipe in RECIPES:
        found = []
        for record in (each for each in records if each.settings["recipe"] == recipe):
            auc = course_of(recipe, record.settings["dataset"], [record]).auc
            if auc[-1] < max(auc[0], 0.5):
                found.append(f"{record.settings['dataset']} {auc[0]:.3f} → {auc[-1]:.3f}")
        named = ", ".join(found) or "none"
        yield f"sets that {recipe} tells apart worse after training, or not at all: {named}"


def _single(records: Sequence[CaseRecord]) -> list[Part]:
    """The sets of rows that have several: AUC-ROC before and after."""
    found = {(each.settings["recipe"], each.settings["dataset"]): each for each in records}
    parts: list[Part] = []
    for row in printed.rows():
        lines = [
            [name, *(_change(name, found.get((recipe, name))) for recipe in RECIPES)]
            for name in row.datasets
            if any((recipe, name) in found for recipe in RECIPES)
        ]
        if len(lines) > 1:
            parts.append(Heading(f"{row.title}: AUC-ROC untrained → trained"))
            parts.append(table(["dataset", *RECIPES], lines))
    return parts


def _change(dataset: str, record: CaseRecord | None) -> Cell:
    if record is None:
        return Cell(NOTHING)
    auc = course_of(record.settings["recipe"], dataset, [record]).auc
    return Cell(f"{auc[0]:.3f} → {auc[-1]:.3f}", bool(auc[-1] > auc[0]))


def _pictures(records: Sequence[CaseRecord], courses: Sequence[Course]) -> list[Part]:
    curves = {
        recipe: {course.row: course.auc for course in courses if course.recipe == recipe}
        for recipe in RECIPES
    }
    parts: list[Part] = [
        Heading("AUC-ROC during training"),
        Picture("auc", "AUC-ROC after every epoch, by dataset", partial(draw_auc, curves)),
    ]
    for recipe in RECIPES:
        mine = [record for record in records if record.settings["recipe"] == recipe]
        if mine:
            caption = f"Losses of test inliers and anomalies during training, {recipe}"
            draw = partial(draw_boxes_of, by_row(mine, recipe))
            parts += [Heading(f"Losses, {recipe}"), Picture(recipe, caption, draw)]
    return [*parts, Notes([LEGEND, "boxes: the first model seed"])]


def _cells(courses: Sequence[Course]) -> list[dict[str, Value]]:
    return long(
        "recipe dataset epoch auc_roc gap inliers_median anomalies_median",
        (
            (course.recipe, course.row, epoch, *values)
            for course in courses
            for epoch, values in enumerate(
                zip(course.auc, course.gap, course.inliers, course.anomalies, strict=True)
            )
        ),
    )
