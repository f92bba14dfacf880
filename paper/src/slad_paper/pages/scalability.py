"""The scalability test: seconds against the number of features and of rows, ours and others'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import claims_table
from slad_paper.pages.curves import Look, looks
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
from slad_paper.pages.pictures import new_figure
from slad_paper.pages.scalability_claims import judge
from slad_paper.pages.scalability_lines import (
    AXES,
    DEVICES,
    OURS,
    PEER,
    POINTS,
    WHOSE,
    Line,
    Lines,
    lines_of,
    read_lines,
)
from slad_paper.runner import printed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of the records of this study."""
    lines = read_lines(records)
    devices = [name for name in DEVICES if any(key[0] == name for key in lines)]
    seconds: list[Part] = []
    ratios: list[Part] = []
    for device in devices:
        for axis in AXES:
            ours, theirs = (lines_of(lines, device, axis, whose) for whose in (OURS, PEER))
            if ours:
                seconds += [Heading(f"{DEVICES[device]}: seconds by {axis}"), _table(ours)]
            if theirs:
                ratios.append(Heading(f"{DEVICES[device]}: reference / slad by {axis}"))
                ratios.append(_ratios(ours, theirs))
    claims: list[Part] = [Heading("The paper's claims"), claims_table(judge(lines, devices))]
    brief: list[Part] = [*claims, *seconds, Notes(_about(records))]
    details = [*ratios, *_pictures(lines, devices)]
    return Report(
        name="scalability",
        title="Scalability: seconds of ten epochs and of scoring",
        brief=brief,
        details=details,
        data={"seconds": _cells(lines)},
    )


# -- tables ----------------------------------------------------------------------------------------


def _table(lines: Mapping[str, Line]) -> Table:
    sizes = next(iter(lines.values())).sizes
    rows = [
        [*plain([name, *(line.shown(size) for size in sizes)]), Cell(_growth(line))]
        for name, line in lines.items()
    ]
    return Table(["detector", *(f"{size:,}" for size in sizes), "growth"], rows, numbers=True)


def _ratios(ours: Mapping[str, Line], theirs: Mapping[str, Line]) -> Table:
    sizes = next(iter(theirs.values())).sizes
    rows = [
        [Cell(name), *(_ratio(ours[name], line, size) for size in sizes), Cell(_growth(line))]
        for name, line in theirs.items()
    ]
    header = ["detector", *(f"{size:,}" for size in sizes), "its growth"]
    return Table(header, rows, numbers=True)


def _ratio(ours: Line, theirs: Line, size: int) -> Cell:
    own, cell = ours.seconds.get(size), theirs.cells[theirs.sizes.index(size)]
    if own is None:
        return Cell("–")
    if "over" in cell:
        return Cell(f"> {cell['over'] / own:.2g}", cell["over"] > own)
    other = theirs.seconds.get(size)
    return Cell(theirs.shown(size)) if other is None else Cell(f"{other / own:.3g}", other > own)


def _growth(line: Line) -> str:
    return "–" if line.growth is None else f"{line.growth:.2f}"


def _about(records: Sequence[CaseRecord]) -> list[str]:
    said = [
        f"fit ({_epochs(records)}) and scores of the same rows, in seconds; {_fixed(records)}",
        "cells below a second are repeated, and the shortest counts; detector and reference run by "
        "turns, detectors one after the other",
        f"growth: the exponent of the size, over the {POINTS} largest sizes measured; –: a smaller "
        "size took longer than the limit, or failed (the records say which); >: cut off",
    ]
    for device in DEVICES:
        mine = [record for record in records if record.settings["device"] == device]
        if mine:
            about, settings = mine[0].environment, mine[0].settings
            what = about["gpu"] if device == "cuda" else f"{about['cpu_threads']} thread(s)"
            limits = f"{settings['limit']:g} s, of the reference {_patience(mine)}"
            said.append(f"{DEVICES[device]}: {what}; limits: {limits}")
    return said


def _patience(records: Sequence[CaseRecord]) -> str:
    """Seconds that a reference may take, and whose are others than most."""
    limits = [record.settings["peer_limit"] for record in records]
    usual = max(set(limits), key=limits.count)
    others = [
        f"{limit:g} s of {record.settings['detector']} by {record.settings['axis']}"
        for record, limit in zip(records, limits, strict=True)
        if limit != usual
    ]
    return ", ".join([f"{usual:g} s", *others])


def _epochs(records: Sequence[CaseRecord]) -> str:
    """Epochs, and whose they are: GAAL has others."""
    of: dict[int, list[str]] = {}
    for record in records:
        of.setdefault(record.settings["epochs"], []).append(record.settings["detector"])
    ordered = sorted(of, key=lambda epochs: -len(of[epochs]))
    rest = [f"{each} of {', '.join(dict.fromkeys(of[each]))}" for each in ordered[1:]]
    return ", ".join([f"{ordered[0]} epochs", *rest])


def _fixed(records: Sequence[CaseRecord]) -> str:
    """What does not grow."""
    first = {record.settings["axis"]: record.settings["shapes"][0] for record in records}
    said = [f"features of {first['features'][0]:,} rows"] if "features" in first else []
    said += [f"rows of {first['rows'][1]:,} features"] if "rows" in first else []
    return " and ".join(said)


def _cells(lines: Lines) -> list[dict[str, Value]]:
    return [
        {
            "device": line.device,
            "axis": line.axis,
            "implementation": WHOSE[line.whose],
            "detector": line.detector,
            "size": size,
            "seconds": line.seconds.get(size),
            "not_measured": cell.get("skipped") or cell.get("failed") or _over(cell),
        }
        for line in lines.values()
        for size, cell in zip(line.sizes, line.cells, strict=True)
    ]


def _over(cell: Mapping[str, Any]) -> str | None:
    return f"cut off after {cell['over']:g} s" if "over" in cell else None


# -- pictures --------------------------------------------------------------------------------------


def _pictures(lines: Lines, devices: Sequence[str]) -> list[Part]:
    parts: list[Part] = []
    for whose, name in WHOSE.items():
        if any(key[2] == whose for key in lines):
            caption = f"Seconds against size, {name}"
            parts += [
                Heading(f"Curves, {name}"),
                Picture(f"curves-{name}", caption, partial(_draw, lines, devices, whose)),
            ]
    return parts


def _draw(lines: Lines, devices: Sequence[str], whose: str) -> Figure:
    """A panel for each device and axis, with one legend."""
    names = printed.ordered({key[3] for key in lines if key[2] == whose})
    figure = new_figure(8.6, 2.9 * len(devices) + 0.3)
    axes = figure.subplots(len(devices), len(AXES), squeeze=False, sharey="row")
    handles: dict[str, Any] = {}
    for line, device in zip(axes, devices, strict=True):
        line[0].set_ylabel("seconds")
        for axis, of in zip(line, AXES, strict=True):
            axis.set_title(f"{DEVICES[device]}: {of}")
            _panel(axis, lines_of(lines, device, of, whose), looks(names))
            found, labels = axis.get_legend_handles_labels()
            handles |= dict(zip(labels, found, strict=True))
    shown = [name for name in names if name in handles]
    figure.legend([handles[name] for name in shown], shown, loc="outside right center", fontsize=8)
    return figure


def _panel(axis: Axes, lines: Mapping[str, Line], styles: Mapping[str, Look]) -> None:
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    for name, line in lines.items():
        look = styles[name]
        axis.plot(
            list(line.seconds),
            list(line.seconds.values()),
            "--" if look.dashed else "-",
            color=look.colour,
            marker=look.marker,
            ms=3.5,
            lw=look.width,
            label=name,
        )
    sizes = next(iter(lines.values())).sizes if lines else ()
    axis.set_xticks(sizes, [_tick(size) for size in sizes])
    axis.tick_params(axis="x", which="minor", length=0)
    axis.grid(axis="y")


def _tick(size: int) -> str:
    return f"{size // 1000}k" if size % 1000 == 0 else str(size)
