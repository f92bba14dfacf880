"""The study of planted culprits: a case for each table, and one for how the method was chosen."""

from __future__ import annotations

from typing import Any

from slad_paper.runner.study import Case, CaseStudy
from slad_paper.studies.culprits.choosing import choose
from slad_paper.studies.culprits.hits import PARAMETERS, rate
from slad_paper.studies.culprits.tables import RATED

CHOICE = "choice"
SEED = 0
QUICK_ROWS = 5
SHAP = ("shap",)


def cases(quick: bool) -> list[Case]:
    if quick:
        fewer = PARAMETERS | {"rows": QUICK_ROWS}
        settings = {"dataset": "breast-cancer", "seed": SEED, "parameters": fewer}
        return [Case("breast-cancer", settings, packages=SHAP)]
    rated = [
        Case(name, {"dataset": name, "seed": SEED, "parameters": PARAMETERS}, (name,), None, SHAP)
        for name in RATED
    ]
    return [*rated, Case(CHOICE, {"seed": SEED}, ("omi-1", "smd-1-1", "smd-1-6", "msl-gdn"))]


def run(case: Case, device: str) -> dict[str, Any]:
    if case.name == CHOICE:
        return choose(SEED)
    return rate(case.settings["dataset"], SEED, case.settings["parameters"]["rows"])


STUDY = CaseStudy(name="culprits", cases=cases, run=run)
