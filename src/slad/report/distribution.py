"""The histogram of the scores: scored rows, calibration rows and the threshold."""

from __future__ import annotations

import math
from collections.abc import Sequence

from slad.model.findings import Distribution, Findings
from slad.report import wording
from slad.report.markup import Html, joined, section, tag
from slad.report.shapes import bars, slot

_HEIGHT = 220
_LEVELS = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
_APART = 0.09
"""Least distance of two grid lines or two numbers, as a fraction of the height or the width."""


def distribution(findings: Findings) -> Html | None:
    """The histogram and its legend; None if there are fewer than two bins."""
    scores = findings.scores
    edges, judged = scores.edges, _shares(scores.judged)
    if len(judged) < 2:  # one score, or none
        return None
    threshold = findings.rule.threshold
    compared = _shares(scores.calibration)
    return section(
        "scores",
        "Scores of the rows",
        tag(
            "p",
            "Each row has one score; further right means stranger. The height of a bar is the "
            "square root of its share of the rows, so that single rows are visible."
            f"{_beyond(scores)}",
            class_="lead",
        ),
        tag(
            "figure",
            tag(
                "svg",
                _picture(edges, judged, compared, threshold),
                class_="scores",
                height=_HEIGHT + 44,
                role="img",
                aria_label=_spoken(findings),
            ),
            _legend(threshold, bool(compared)),
        ),
    )


def _beyond(scores: Distribution) -> str:
    if scores.largest is None or scores.largest <= scores.edges[-1]:
        return ""
    return f" The last bar includes all higher scores, up to {wording.figure(scores.largest)}."


def _picture(
    edges: Sequence[float],
    judged: Sequence[float],
    compared: Sequence[float],
    threshold: float | None,
) -> Html:
    """Bars, outline and axes. Widths are percentages and heights pixels: text keeps its size."""
    highest = max([*judged, *compared])
    line = None if threshold is None else slot(edges, threshold)
    cut = 100.0 if line is None else 100 * line
    path = bars([_height(share, highest) for share in judged], lowest=1.5)
    plot = [
        _part(tag("path", d=path, class_="usual"), 0, cut),
        _part(tag("path", d=path, class_="strange"), cut, 100),
    ]
    if compared:
        plot.append(tag("path", d=_outline(compared, highest), class_="compared"))
    inner = tag(
        "svg",
        *plot,
        viewBox="0 0 100 100",
        preserveAspectRatio="none",
        width="100%",
        height=_HEIGHT,
        y=20,
    )
    lines, levels = _grid(highest)
    return joined(lines, inner, levels, _ticks(edges), _threshold(line, threshold))


def _part(drawn: Html, start: float, end: float) -> Html:
    """The part of a drawing between two places; a nested svg cuts off the rest."""
    width = end - start
    if width <= 0:
        return Html("")
    box = f"{start:.3f} 0 {width:.3f} 100"
    place = {"x": f"{start:.3f}", "width": f"{width:.3f}", "height": 100}
    return tag("svg", drawn, viewBox=box, preserveAspectRatio="none", class_="part", **place)


def _shares(counts: Sequence[float]) -> list[float]:
    total = sum(counts)
    return [number / total for number in counts] if total else []


def _height(share: float, highest: float) -> float:
    return math.sqrt(share / highest)


def _outline(shares: Sequence[float], highest: float) -> str:
    width = 100 / len(shares)
    steps = (f"V{100 - 100 * _height(share, highest):.4g}h{width:.4g}" for share in shares)
    return f"M0 100{''.join(steps)}V100"


def _grid(highest: float) -> tuple[Html, Html]:
    """Grid lines, which go behind the bars, and their labels, which go in front."""
    lines: list[Html] = []
    levels: list[Html] = []
    last = 0.0
    for level in _LEVELS:
        at = _height(level, highest)
        if level > highest or at - last < _APART:
            continue
        y = f"{20 + _HEIGHT * (1 - at):.1f}"
        lines.append(tag("line", x2="100%", y1=y, y2=y, class_="grid"))
        levels.append(tag("text", wording.share(level), y=y, dy=-4, class_="level"))
        last = at
    return joined(*lines), joined(*levels)


def _ticks(edges: Sequence[float]) -> Html:
    texts: list[Html] = []
    last = -1.0
    for number in round_numbers(edges[0], edges[-1]):
        at = slot(edges, number)
        if at - last < _APART or at > 0.97:
            continue
        anchor = "start" if at < 0.03 else "middle"
        place = {"x": f"{100 * at:.4g}%", "y": _HEIGHT + 40, "text_anchor": anchor}
        texts.append(tag("text", wording.figure(number), **place))
        last = at
    y = _HEIGHT + 20.5
    return joined(tag("line", x2="100%", y1=y, y2=y, class_="axis"), *texts)


def round_numbers(low: float, high: float, about: int = 8) -> list[float]:
    """About five to ten round numbers from `low` to `high`.

    >>> round_numbers(-2.5, 8.7)
    [-2.0, 0.0, 2.0, 4.0, 6.0, 8.0]
    """
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [round(number * step, 12) for number in range(first, last + 1)]


def _threshold(line: float | None, threshold: float | None) -> Html | None:
    if line is None:
        return None
    x = f"{100 * line:.3f}%"
    left = line > 0.6
    label = tag(
        "text",
        f"threshold {wording.figure(threshold)}",
        x=x,
        y=12,
        dx=-6 if left else 6,
        text_anchor="end" if left else "start",
        class_="mark",
    )
    return joined(tag("line", x1=x, x2=x, y1=2, y2=_HEIGHT + 20, class_="threshold"), label)


def _legend(threshold: float | None, compared: bool) -> Html:
    entries = [tag("span", "scored rows", class_="key usual")]
    if threshold is not None:
        entries.append(tag("span", "rows at or above the threshold", class_="key strange"))
    if compared:
        entries.append(tag("span", "calibration rows", class_="key compared"))
    return tag("figcaption", *entries, class_="legend")


def _spoken(findings: Findings) -> str:
    counts, rule = findings.counts, findings.rule
    edges = findings.scores.edges
    limit = "" if rule.threshold is None else f", threshold {wording.figure(rule.threshold)}"
    return (
        f"Histogram of the scores from {wording.figure(edges[0])} to {wording.figure(edges[-1])}"
        f"{limit}: {wording.count(counts.flagged)} of {wording.count(counts.rows)} rows "
        "are flagged"
    )
