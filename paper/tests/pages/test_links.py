"""Every relative link of the docs leads to a file and, where it has one, to a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = sorted(
    path
    for pattern in ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "paper/**/*.md")
    for path in ROOT.glob(pattern)
    if not {".venv", "node_modules"} & set(path.parts)
)
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*#*$", re.MULTILINE)

pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="in the repository only")


def links(page: str) -> Iterator[str]:
    """The targets of links, but for those to other sites."""
    for found in LINK.finditer(CODE.sub("", BLOCK.sub("", page))):
        target = found[1] or found[2]
        if not re.match(r"[a-z]+:", target):
            yield target


def anchors(page: str) -> set[str]:
    """The anchors that GitHub gives to headings."""
    found: list[str] = []
    for title in HEADING.findall(BLOCK.sub("", page)):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        found.append(anchor + (f"-{found.count(anchor)}" if anchor in found else ""))
    return set(found)


def broken(path: Path) -> Iterator[str]:
    for link in links(path.read_text("utf-8")):
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists():
            yield f"{link}: there is no such file"
        elif anchor and anchor not in anchors(target.read_text("utf-8")):
            yield f"{link}: there is no such heading"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path):
    assert list(broken(path)) == []


def test_the_pages_of_both_buildings_are_looked_at():
    names = {str(path.relative_to(ROOT)) for path in PAGES}
    assert {"README.md", "docs/accuracy.md", "paper/docs/fidelity.md"} <= names
    assert "paper/docs/results/adbench.md" in names


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "other.md").write_text("# A `title`, it is\n\n## [Linked](x.md): *so*\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md#a-title-it-is) [b](other.md#linked-so) [c](https://x.y) `[d](code.md)`\n"
        "[e](other.md#none) ![f](gone.svg)\n[g]: gone.md\n```\n[h](code.md)\n```\n"
    )
    assert list(broken(page)) == [
        "other.md#none: there is no such heading",
        "gone.svg: there is no such file",
        "gone.md: there is no such file",
    ]
