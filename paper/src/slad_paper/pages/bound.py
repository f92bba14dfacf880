"""Theorem 1 in numbers: probabilities of useful subspaces, and every counter-example there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from slad_paper.pages.bound_claims import (
    DRAWN,
    GROUP,
    Found,
    agreement,
    claims_of,
    counted,
    deviations,
)
from slad_paper.pages.bound_pictures import draw_curves, draw_excess, draw_groups, draw_map
from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.tables import NOTHING, long, table


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of this study's records; cases without a record are left out."""
    found: Found = {record.case: record.result for record in records}
    brief: list[Part] = [
        Heading("The paper's claims"),
        claims_table(claims_of(found)),
        Notes(ABOUT),
    ]
    if "shares" in found:
        brief += [Heading("Shares in hundredths, every rounding"), _roundings(found["shares"])]
        brief.append(Notes(ROUNDED))
    details: list[Part] = []
    for case, picture in PICTURES.items():
        if case in found:
            name, caption, draw = picture
            details.append(Picture(name, caption, partial(draw, found[case])))
    if "limits" in found:
        details += [Heading("Above 1 - alpha in wide tables"), _limits(found["limits"])]
    if "groups" in found:
        details += [Heading("Least Pr(U is useful) of ten subspaces"), _least(found["groups"])]
    if "simulation" in found:
        lines = [
            f"{DRAWN[counting]}: {agreement(off)}"
            for counting, off in deviations(found["simulation"]).items()
        ]
        details += [Heading("Exact probabilities against simulation"), Notes(lines)]
    if "sampler" in found:
        details += [Heading("Subspaces drawn by slad"), _sampler(found["sampler"])]
        details += [Notes(SAMPLER), _shared(found["sampler"])]
    return Report(
        name="bound",
        title="The bound on useful subspaces: Lemma 1, Theorem 1 and Pr(U)",
        brief=brief,
        details=details,
        data={"curves": _curves(found["curves"])} if "curves" in found else {},
    )


ABOUT = [
    "n = |F| features, m = |G| effective ones, q needed. Drawn with replacement, as the lemma "
    "has it, Pr = 1 + 1/n - E[min(B, q)]/m with B ~ Bin(n + 1, m/n). Drawn as a subset, as "
    "Algorithm 1 has it, Pr = (1 + 1/n)(1 - q/(m + 1)). Both are above 1 - q/m at sight, since "
    "min(B, q) <= q and q/(m + 1) < q/m: a proof of the bound that needs no limit.",
    "With replacement a feature may come twice, and the lemma's binomial counts it twice. "
    "Counted once, Pr goes to 1 + log(1 - alpha) in wide tables (to 0 from alpha = 1 - 1/e on), "
    "which is below 1 - alpha.",
]
ROUNDED = [
    "alpha, beta = 0.01, 0.02, ..., 1 and all widths; |G| is beta |F| rounded, at least 1. "
    '"Up" is what "at least alpha |G| features" asks for; "down" asks for fewer features than '
    "that, so it cannot fall below. Cases within 1e-9 of the bound were decided by fractions."
]
SAMPLER = [
    "Half of the features are effective; a feature that a subspace holds twice counts once. The "
    "released recipe draws tables of at most 10 features with replacement, and lengths from a pool "
    "of 50 drawn once; exact is the probability for that way of drawing."
]

PICTURES: dict[str, tuple[str, str, Callable[[Mapping[str, Any]], Any]]] = {
    "curves": ("curves", "Pr(S is useful) over the number of features, and 1 - alpha", draw_curves),
    "shares": ("map", "At which part of all widths Pr is below 1 - alpha", draw_map),
    "limits": ("excess", "How far Pr is above 1 - alpha in wide tables", draw_excess),
    "groups": ("groups", "Pr(U is useful) over c, by the bound", draw_groups),
}


# -- tables ----------------------------------------------------------------------------------------


def _roundings(result: Mapping[str, Any]) -> Table:
    rows = [
        [
            *(DRAWN[counting], row["needed"], row["size"], counted(row["searched"])),
            f"{counted(row['broken'])} ({row['broken'] / row['searched']:.1%})",
            *(row["smallest"]["n"] if row["smallest"] else NOTHING, _worst(row["worst"])),
        ]
        for counting in ("repeats", "subset")
        for row in result[counting]["roundings"]
    ]
    header = ["drawn", "alpha |G|", "beta |F|", "searched", "below 1 - alpha", "least |F|", "worst"]
    return table(header, rows)


def _worst(at: Mapping[str, Any] | None) -> str:
    if not at:
        return NOTHING
    return (
        f"{at['probability']:.3f} < {at['probability'] + at['gap']:.2f} (|F| = {at['n']}, "
        f"|G| = {at['m']})"
    )


def _limits(result: Mapping[str, Any]) -> Table:
    rows = {(row["alpha"], row["beta"], row["n"]): row for row in result["rows"]}
    widths = sorted({n for _, _, n in rows})
    lines = [
        [f"{DRAWN[counting]}: alpha {alpha:g}, beta {beta:g}"]
        + [f"{rows[alpha, beta, n][counting] - rows[alpha, beta, n]['bound']:.1e}" for n in widths]
        for counting in ("repeats", "subset")
        for alpha, beta in sorted({(alpha, beta) for alpha, beta, _ in rows})
        if alpha in (0.5, 1.0) and beta in (0.25, 1.0)
    ]
    return table(["Pr - (1 - alpha)", *(f"|F| = {n:,}" for n in widths)], lines, numbers=True)


def _least(result: Mapping[str, Any]) -> Table:
    rows = [
        [DRAWN[row["counting"]], f"{row['alpha']:g}", row["widest"]]
        + [
            f"{at['probability']:.5f} (|F| = {at['n']}, |G| = {at['m']}, {at['q']} needed)"
            for at in (row["whole"], row["rounded up"])
        ]
        for row in result["least"]
    ]
    return table(["drawn", "alpha", "|F| up to", "alpha |G| whole", "rounded up"], rows)


def _sampler(result: Mapping[str, Any]) -> Table:
    rows = [
        [
            f"{row['recipe']}, |F| = {row['n']}, alpha = {row['alpha']:g}",
            f"{1 - row['alpha']:.2f}",
            f"{row['exact']:.4f}",
            f"{row['subspaces']:.4f} ± {row['error']:.4f}",
            f"{1 - row['alpha'] ** GROUP:.4f}",
            f"{row['groups']:.4f} ± {row['groups_error']:.4f}",
        ]
        for row in result["rows"]
        if row["alpha"] in (0.5, 0.75)
    ]
    header = ["recipe", "1 - alpha", "exact", "drawn", "Pr(U) by the bound", "groups drawn"]
    return table(header, rows, numbers=True)


def _shared(result: Mapping[str, Any]) -> Table:
    rows = [
        [
            f"|F| = {row['n']}, alpha = {row['alpha']:g}",
            f"{row['independent']:.6f}",
            f"{row['shared']:.6f} ± {row['error']:.6f}",
        ]
        for row in result["shared_lengths"]
        if row["alpha"] >= 0.5
    ]
    return table(["lengths from a pool of 50", "independent", "of one pool"], rows, numbers=True)


def _curves(result: Mapping[str, Any]) -> list[dict[str, Value]]:
    """A row for every point of the figure."""
    return long(
        f"alpha beta features {' '.join(DRAWN)}",
        (
            (line["alpha"], line["beta"], n, *(line[counting][at] for counting in DRAWN))
            for line in result["lines"]
            for at, n in enumerate(line["widths"])
        ),
    )
