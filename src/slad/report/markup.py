"""HTML elements, with all text escaped unless it is an `Html`."""

from __future__ import annotations

import html
import re

_UNPRINTABLE = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
_UNPRINTABLE[0x7F] = 0x2421
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_VOID = frozenset({"input", "meta", "br"})


class Html(str):
    """Markup, which goes into a page as it is."""

    __slots__ = ()


def printable(text: str) -> str:
    """Control characters as visible symbols; lone surrogates as a replacement character."""
    return _LONE_SURROGATES.sub("\ufffd", text).translate(_UNPRINTABLE)


def escaped(content: object) -> Html:
    """Markup as it is, nothing for None and False, and anything else as escaped text."""
    if isinstance(content, Html):
        return content
    if content is None or content is False:
        return Html("")
    return Html(html.escape(printable(str(content)), quote=False))


def joined(*contents: object) -> Html:
    return Html("".join(map(escaped, contents)))


def tag(element: str, *contents: object, **attributes: object) -> Html:
    """One element. `class_` is class, `aria_label` is aria-label; None and False omit it.

    >>> tag("a", "R&D", href="#x", class_="link", hidden=True)
    '<a href="#x" class="link" hidden>R&amp;D</a>'
    """
    given = "".join(_attribute(name, value) for name, value in attributes.items())
    if element in _VOID:
        return Html(f"<{element}{given}>")
    return Html(f"<{element}{given}>{joined(*contents)}</{element}>")


def data(text: object) -> Html:
    """Text of the table within a sentence, with its own writing direction."""
    return tag("bdi", text)


def section(anchor: str, title: str, *contents: object) -> Html:
    """A section of the page with its heading."""
    heading = tag("h2", title, id=f"{anchor}-title")
    return tag("section", heading, *contents, id=anchor, aria_labelledby=f"{anchor}-title")


def _attribute(name: str, value: object) -> str:
    name = name.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    return f' {name}="{html.escape(printable(str(value)))}"'
