"""The scalability test: seconds against the number of features and of rows, ours and others'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from slad_paper.pages.cases import CaseRecord
from slad_paper.pages.claims import claims_table
from slad_paper.pages.curves import Panel, curves
from slad_paper.pages.document import Cell, Heading, Notes, Part, Picture, Report, Table, Value
from slad_paper.pages.pictures import Figure
from slad_paper.pages.scalability_claims import claims_of
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
from slad_paper.pages.tables import NOTHING, long, table


def report(records: Sequence[CaseRecord]) -> Report:
    """The report of this study's records."""
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
    return Report(
        name="scalability",
        title="Scalability: seconds of ten epochs and of scoring",
        brief=[
            Heading("The paper's claims"),
            claims_table(claims_of(lines, devices)),
            *seconds,
            Notes(_about(records)),
        ],
        details=[*ratios, *_pictures(lines, devices)],
        data={"seconds": _cells(lines)},
    )


# -- tables ----------------------------------------------------------------------------------------


def _table(lines: Mapping[str, Line]) -> Table:
    sizes = next(iter(lines.values())).sizes
    rows = (
        [name, *(line.shown(size) for size in sizes), _growth(line)] for name, line in lines.items()
    )
    return table(["detector", *(f"{size:,}" for size in sizes), "growth"], rows, numbers=True)


def _ratios(ours: Mapping[str, Line], theirs: Mapping[str, Line]) -> Table:
    sizes = next(iter(theirs.values())).sizes
    rows = (
        [name, *(_ratio(ours[name], line, size) for size in sizes), _growth(line)]
        for name, line in theirs.items()
    )
    return table(["detector", *(f"{size:,}" for size in sizes), "its growth"], rows, numbers=True)


def _ratio(ours: Line, theirs: Line, size: int) -> Cell:
    own, cell = ours.seconds.get(size), theirs.cells[theirs.sizes.index(size)]
    if own is None:
        return Cell(NOTHING)
    if "over" in cell:
        return Cell(f"> {cell['over'] / own:.2g}", cell["over"] > own)
    other = theirs.seconds.get(size)
    return Cell(theirs.shown(size)) if other is None else Cell(f"{other / own:.3g}", other > own)


def _growth(line: Line) -> str:
    return NOTHING if line.growth is None else f"{line.growth:.2f}"


def _about(records: Sequence[CaseRecord]) -> list[str]:
    notes = [
        f"fit ({_epochs(records)}) and scores of the same rows, in seconds; {_fixed(records)}",
        "cells below a second are repeated, and the shortest counts; detector and reference run by "
        "turns, detectors one after the other",
        f"growth: the exponent of the size, over the {POINTS} largest sizes measured; –: a smaller "
        "size took longer than the limit, or failed (the records say which); >: cut off",
    ]
    for device, name in DEVICES.items():
        if mine := [record for record in records if record.settings["device"] == device]:
            about, settings = mine[0].environment, mine[0].settings
            what = about["gpu"] if device == "cuda" else f"{about['cpu_threads']} thread(s)"
            limits = f"{settings['limit']:g} s, of the reference {_patience(mine)}"
            notes.append(f"{name}: {what}; limits: {limits}")
    return notes


def _patience(records: Sequence[CaseRecord]) -> str:
    """The seconds that a reference may take, and the exceptions."""
    limits = [record.settings["peer_limit"] for record in records]
    usual = max(set(limits), key=limits.count)
    others = [
        f"{limit:g} s of {record.settings['detector']} by {record.settings['axis']}"
        for record, limit in zip(records, limits, strict=True)
        if limit != usual
    ]
    return ", ".join([f"{usual:g} s", *others])


def _epochs(records: Sequence[CaseRecord]) -> str:
    """The number of epochs, and the exceptions: GAAL has others."""
    of: dict[int, list[str]] = {}
    for record in records:
        of.setdefault(record.settings["epochs"], []).append(record.settings["detector"])
    ordered = sorted(of, key=lambda epochs: -len(of[epochs]))
    rest = [f"{each} of {', '.join(dict.fromkeys(of[each]))}" for each in ordered[1:]]
    return ", ".join([f"{ordered[0]} epochs", *rest])


def _fixed(records: Sequence[CaseRecord]) -> str:
    """What does not grow."""
    first = {record.settings["axis"]: record.settings["shapes"][0] for record in records}
    fixed = [f"features of {first['features'][0]:,} rows"] if "features" in first else []
    fixed += [f"rows of {first['rows'][1]:,} features"] if "rows" in first else []
    return " and ".join(fixed)


def _cells(lines: Lines) -> list[dict[str, Value]]:
    return long(
        "device axis implementation detector size seconds not_measured",
        (
            (
                *(line.device, line.axis, WHOSE[line.whose], line.detector, size),
                line.seconds.get(size),
                cell.get("skipped") or cell.get("failed") or _over(cell),
            )
            for line in lines.values()
            for size, cell in zip(line.sizes, line.cells, strict=True)
        ),
    )


def _over(cell: Mapping[str, Any]) -> str | None:
    return f"cut off after {cell['over']:g} s" if "over" in cell else None


# -- pictures --------------------------------------------------------------------------------------


def _pictures(lines: Lines, devices: Sequence[str]) -> list[Part]:
    parts: list[Part] = []
    for whose, name in WHOSE.items():
        if any(key[2] == whose for key in lines):
            draw = partial(_draw, lines, devices, whose)
            picture = Picture(f"curves-{name}", f"Seconds against size, {name}", draw)
            parts += [Heading(f"Curves, {name}"), picture]
    return parts


def _draw(lines: Lines, devices: Sequence[str], whose: str) -> Figure:
    """A panel for each device and axis."""
    shown = []
    for device in devices:
        for axis in AXES:
            mine = lines_of(lines, device, axis, whose)
            sizes = next(iter(mine.values())).sizes if mine else ()
            times = {name: [line.seconds.get(n) for n in sizes] for name, line in mine.items()}
            title = f"{DEVICES[device]}: {axis}"
            shown.append(Panel(title, sizes, times, y_label="seconds", logarithmic=True))
    return curves(shown, x_label="size", height=2.9, sharey="row")
