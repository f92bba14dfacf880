"""A page as a browser would see it."""

from __future__ import annotations

from html.parser import HTMLParser

from slad.model.findings import Findings
from slad.report import render

VOID = {"meta", "input"}


class Reader(HTMLParser):
    """What a browser would see: elements with their attributes, and texts by element."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name):
        assert self.open.pop() == name

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


def drawn(found: made_up.Json) -> str:
    """The page of a manifest."""
    return render(Findings.from_json(found))
