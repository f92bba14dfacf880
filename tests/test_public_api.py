"""The public surface is what `public_api.txt` says: names, parameters and their defaults.

A change that is meant is written down by `python tests/test_public_api.py`, which makes the file
anew, and by a line in CHANGELOG.md. Former names have a test of their own (core/test_former.py).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from enum import EnumType
from importlib import import_module
from pathlib import Path
from typing import Any

SURFACE = Path(__file__).with_name("public_api.txt")
MODULES = (
    "slad",
    "slad.core.errors",
    "slad.decisions",
    "slad.detectors",
    "slad.engines",
    "slad.explain",
    "slad.learning",
    "slad.model",
    "slad.report",
    "slad.tables",
)


def surface() -> Iterator[str]:
    """One line per public function, class, method and attribute of the public modules."""
    for name in MODULES:
        module = import_module(name)
        for public in sorted(getattr(module, "__all__", None) or own_classes(module)):
            yield from described(f"{name}.{public}", getattr(module, public))


def own_classes(module: Any) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__
    ]


def described(name: str, value: Any) -> Iterator[str]:
    if not callable(value):
        yield f"{name}: {type(value).__name__}"
        return
    if isinstance(value, EnumType):  # the signature of its class depends on Python's version
        yield from (f"{name}.{member.name}" for member in value)
        return
    yield f"{name}{parameters(value)}"
    if not inspect.isclass(value):
        return
    for attribute in sorted(dir(value)):
        if attribute.startswith("_"):
            continue
        static = inspect.getattr_static(value, attribute)
        if not from_slad(value, attribute):
            continue
        if isinstance(static, property):
            yield f"{name}.{attribute}"
        elif callable(getattr(value, attribute)):
            yield f"{name}.{attribute}{parameters(getattr(value, attribute))}"


def from_slad(owner: type, attribute: str) -> bool:
    """Whether an attribute is defined by a class of ours: scikit-learn may change its own."""
    for each in owner.__mro__:
        if attribute in vars(each):
            return each.__module__.startswith("slad.")
    return False


def parameters(value: Any) -> str:
    """Names and plain defaults, without types."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    shown = []
    for each in signature.parameters.values():
        if each.name in ("self", "cls"):
            continue
        prefix = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
        text = prefix.get(each.kind, "") + each.name
        if each.default is not inspect.Parameter.empty:
            plain = each.default is None or isinstance(each.default, str | int | float | tuple)
            text += f"={each.default!r}" if plain else "=..."
        shown.append(text)
    return f"({', '.join(shown)})"


def test_the_public_surface_is_the_one_written_down():
    written = SURFACE.read_text(encoding="utf-8").splitlines()
    assert list(surface()) == written, "if that is meant: python tests/test_public_api.py"


if __name__ == "__main__":
    SURFACE.write_text("".join(f"{line}\n" for line in surface()), encoding="utf-8")
