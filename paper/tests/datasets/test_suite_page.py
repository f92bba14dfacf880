"""docs/suite.md counts what the manifest holds. Run this file to print the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from slad_paper.datasets.suite import Task, tasks
from slad_paper.pages.tuning import kind_of

PAGE = Path(__file__).parents[2] / "docs" / "suite.md"


def table() -> Iterator[str]:
    yield "| kind of task | tasks | sources | rows | features | with gaps |"
    yield "|---|---:|---:|---:|---:|---:|"
    for kind in sorted({kind_of(task) for task in tasks()}):
        yield _line(kind, [task for task in tasks() if kind_of(task) == kind])
    yield _line("**all**", tasks())


def _line(kind: str, mine: list[Task]) -> str:
    rows, features = ([getattr(task, what) for task in mine] for what in ("rows", "features"))
    cells = [
        kind,
        str(len(mine)),
        str(len({task.source for task in mine})),
        f"{min(rows):,} to {max(rows):,}",
        f"{min(features):,} to {max(features):,}",
        str(sum(task.gaps > 0 for task in mine)),
    ]
    return f"| {' | '.join(cells)} |"


def test_the_page_counts_the_tasks_of_the_manifest():
    assert "\n".join(table()) in PAGE.read_text(encoding="utf-8")


if __name__ == "__main__":
    print("\n".join(table()))
