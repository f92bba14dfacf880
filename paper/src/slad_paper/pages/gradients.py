"""Gradients of inliers and anomalies: how they add up, in the analysis and in slad's network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import claims_table
from slad_paper.pages.document import Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.gradients_claims import PARTS, Moment, claims_of, moments
from slad_paper.pages.gradients_pictures import draw_growth, draw_ratio, draw_real
from slad_paper.pages.tables import NOTHING, long, table
from slad_paper.studies.theory_network import exponent

ABOUT = [
    "Given the weights, gradients of N rows drawn alike have a sum of squared length N V + N^2 M, "
    "with V the spread of single gradients and M the squared length of their mean: exponent 2 "
    "from some V/M rows on, 1 where the mean is zero. All rows share the network, so M is not "
    "small in a random one; that is why the text's square holds and the appendix's plain ratio, "
    "which contradicts its own Q N^2, does not. Rows with a network each are independent and have "
    "a small mean, so their exponent goes from 1 to 2 much later; with signs at random it stays 1.",
    "The square compares numbers only: where anomalies differ from inliers, the ratio is "
    "(M_in / M_an) (N_in / N_an)^2. At a stationary point of the loss the sums of inliers and of "
    "anomalies cancel, and the ratio is 1 whatever the numbers.",
]
SLIPS = [
    "The derivatives that the appendix prints at w = 0 are right. Its sum over the outputs counts "
    "the term of output k c times instead of once, lacks the factor 2 of (fg)'' = f''g + 2f'g' + "
    "fg'', and keeps f''g + fg'', which vanish because f(0) = g(0) = 0; the sum over the u units t "
    "is lost (u where it should be u^2)."
]


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of this study's records; cases without a record are left out."""
    found = {record.case: record.result for record in records}
    inside = moments(records)
    brief: list[Part] = [
        Heading("The paper's claims"),
        claims_table(claims_of(records)),
        Notes(ABOUT),
    ]
    details: list[Part] = []
    if "growth" in found:
        brief += [Heading("How the sum of N gradients grows"), _growth(found["growth"])]
        draw = partial(draw_growth, found["growth"])
        details.append(Picture("growth", "Squared sums of N gradients, slopes 1 and 2", draw))
    if "ratio" in found:
        brief += [Heading("Inliers to anomalies, in the same networks"), _ratio(found["ratio"])]
        draw = partial(draw_ratio, found["ratio"])
        details.append(Picture("ratio", "The ratio, and the two printed ones", draw))
    if inside:
        brief += [Heading("In SLAD's own network"), _real(inside), Notes(_about_real(inside))]
        draw = partial(draw_real, inside)
        details.append(Picture("real", "Squared sums of gradients in SLAD's last layer", draw))
    if "constant" in found:
        details += [Heading("The constant Q"), _constant(found["constant"]), Notes(SLIPS)]
        details += [_coefficients(found["constant"])]
    return Report(
        name="gradients",
        title="Gradients of inliers and anomalies: the analysis of the inlier-priority property",
        brief=brief,
        details=details,
        data={"real": _cells(inside)},
    )


def _growth(result: Mapping[str, Any]) -> Table:
    rows = []
    for name, line in result["lines"].items():
        low, high = line["exponent_of_many_interval"]
        ratio = line["spread"] / line["mean"] if line["mean"] > 0 else float("inf")
        many = f"{line['exponent_of_many']:.2f} ({low:.2f} to {high:.2f})"
        rows.append(
            [name, f"{line['exponent']:.2f}", many, f"{ratio:,.1f}" if ratio < 1e4 else NOTHING]
        )
    header = ["gradients", "exponent, all N", f"from {result['many']} rows on", "V/M"]
    return table(header, rows, numbers=True)


def _ratio(result: Mapping[str, Any]) -> Table:
    pairs = list(zip(result["inliers"], result["anomalies"], strict=True))
    rows: list[list[Any]] = [
        [text, *(f"{(n / a) ** power:,.1f}" for n, a in pairs), power]
        for text, power in (("text: squared", 2), ("appendix: plain", 1))
    ]
    for kind, line in result["lines"].items():
        name = "anomalies like inliers" if kind == "the same" else f"anomalies {kind}"
        cells = [f"{value:,.1f}" for value in line["ratio"]]
        rows.append([name, *cells, f"{line['exponent']:.2f}"])
    return table(["ratio", *(f"{n} : {a}" for n, a in pairs), "exponent"], rows, numbers=True)


def _real(found: Sequence[Moment]) -> Table:
    rows = []
    for each in (each for each in found if each.part == "output"):
        whole = next(other for other in found if other.part == "all" and other.run == each.run)
        sizes = each.sizes("inliers")
        slope = float(exponent(sizes, each.squared("inliers", sizes)))
        ratios = [f"{value:,.0f}" for value in (each.ratio, whole.ratio, each.quotient**2)]
        rest = [f"{each.quotient:.0f}", f"{slope:.2f}", f"{each.single:.1f}", f"{each.cosine:+.2f}"]
        rows.append([each.name, *ratios, *rest])
    header = ["", *(f"ratio, {part}" for part in PARTS.values()), "squared", "plain"]
    return table([*header, "exponent", "one anomaly", "cosine"], rows, numbers=True)


def _about_real(found: Sequence[Moment]) -> list[str]:
    first = found[0]
    mine = [each.single for each in found if each.part == "output"]
    return [
        f"{first.counts[1] / sum(first.counts):.0%} of the training rows are anomalies; "
        "expectations are means over the model seeds. A row's gradient is that of its mean loss "
        "over its groups. Exponent: of N V + N^2 M, fitted from one inlier to all of them.",
        "One anomaly: its mean squared gradient in the last layer, over that of one inlier; it is "
        f"{min(mine):.1f} to {max(mine):.1f} times as large. Cosine: of the two sums.",
    ]


def _constant(result: Mapping[str, Any]) -> Table:
    rows = [
        [
            f"u = {row['units']}, c = {row['outputs']}, weights up to {row['spread']:g}",
            f"{row['simulated']:.2e} ± {row['error']:.0e}",
            *(f"{row[name]:.2e}" for name in ("printed", "repaired")),
        ]
        for row in result["rows"]
    ]
    return table(["Q", "simulated", "as printed", "repaired"], rows, numbers=True)


COEFFICIENTS = {
    "slopes_printed": "h h, printed",
    "slopes_c_times": "k counted c times",
    "slopes": "as it is",
    "bends_printed": "h^2 + h^2, printed",
    "bends_c_times": "k counted c times",
    "bends": "as it is",
}


def _coefficients(result: Mapping[str, Any]) -> Table:
    rows = [
        [f"c = {row['outputs']}", *(f"{row[name]:.6f}" for name in COEFFICIENTS)]
        for row in result["coefficients"]
    ]
    return table(["coefficient of", *COEFFICIENTS.values()], rows, numbers=True)


def _cells(found: Sequence[Moment]) -> list[dict[str, Value]]:
    """A row for every dataset, recipe, epoch and part of the weights."""
    about = found[0].about if found else {}
    keys = [(kind, name) for kind, values in about.items() for name in values]
    columns = "dataset recipe epoch weights inliers anomalies ratio cosine"
    return long(
        " ".join([columns, *map("_".join, keys)]),
        (
            (
                *(*each.run, PARTS[each.part], *each.counts, each.ratio, each.cosine),
                *(each.about[kind][name] for kind, name in keys),
            )
            for each in found
        ),
    )
