"""How to reproduce the result: commands, settings, versions, checksums."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slad.model.findings import Findings, Source
from slad.report import wording
from slad.report.markup import Html, data, joined, section, tag

_LONGEST = 2000


def reproduce(findings: Findings) -> Html:
    """Everything that the numbers on this page depend on."""
    commands = list(dict.fromkeys([*findings.reproduce, findings.command]))
    return section(
        "reproduce",
        "How to reproduce this result",
        tag(
            "p",
            "The same table, versions, seed and kind of device give the same scores.",
            class_="lead",
        ),
        *(_command(command) for command in commands if command),
        tag("dl", *(_fact(name, value) for name, value in _facts(findings)), class_="facts"),
    )


def _command(command: str) -> Html:
    copy = tag("button", "Copy", type="button", class_="copy", hidden=True)
    return tag(
        "div", tag("pre", tag("code", wording.cut(command, _LONGEST))), copy, class_="command"
    )


def _fact(name: str, value: object) -> Html:
    return tag("div", tag("dt", name), tag("dd", value))


def _facts(findings: Findings) -> list[tuple[str, object]]:
    detector = findings.detector
    facts: list[tuple[str, object]] = [("Table", _source(findings.input))]
    if findings.reference is not None:
        facts.append(("Training table", _source(findings.reference)))
    rule = findings.rule
    facts += [
        ("Detector", joined(detector.name, _settings(detector.parameters))),
        ("Rule", f"{rule.kind} {wording.figure(rule.value)}"),
        ("Seed", findings.seed),
        ("Versions", _pairs({"slad": findings.slad, **findings.versions})),
        ("Time", _pairs({n: wording.seconds(s) for n, s in findings.seconds.items()})),
        ("Created", findings.created),
    ]
    if findings.reject is not None:
        facts.insert(
            -3,
            ("Too close to call", f"decisions less than {wording.share(findings.reject)} certain"),
        )
    return facts


def _source(source: Source) -> Html:
    size = f"{wording.counted(source.rows, 'row')}, {wording.counted(source.columns, 'column')}"
    digest = source.sha256
    copy = tag("button", "Copy", type="button", class_="copy", hidden=True)
    code = tag("div", tag("code", digest), copy, class_="hash") if digest else None
    return joined(data(wording.cut_name(source.name, 80)), tag("small", f" {size}"), code)


def _settings(parameters: Mapping[str, Any]) -> Html | None:
    if not parameters:
        return tag("small", " default parameters")
    return tag("small", " ", _pairs(parameters))


def _pairs(values: Mapping[str, Any]) -> str:
    return wording.cut(", ".join(f"{name} {value}" for name, value in values.items()), _LONGEST)
