"""docs/scale.md, "The same five lines": every example runs, and all of them say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import rows
from pyarrow import csv, parquet

from slad.model import TableDetector

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"
pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not PAGE.exists(), reason="the docs are in the repository only"),
]
SECTION = "## The same five lines"


def examples() -> dict[str, str]:
    """The code of the section by what it is about."""
    section = PAGE.read_text("utf-8").split(SECTION)[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return dict(zip(("file", "folder", "spark", "ray"), blocks, strict=True))


@pytest.fixture(scope="module")
def at_work(tmp_path_factory) -> Iterator[str]:
    """A folder with all that the examples name; what they have to say."""
    folder = tmp_path_factory.mktemp("examples")
    table = rows.table(1500, seed=3)
    csv.write_csv(rows.table(1200), folder / "orders.csv")
    csv.write_csv(table, folder / "today.csv")
    (folder / "orders").mkdir()
    for at in range(3):
        parquet.write_table(table.slice(500 * at, 500), folder / "orders" / f"{at}.parquet")
    model = TableDetector(id="order", level=0.05)
    model.fit(folder / "orders.csv").save(folder / "orders.slad")
    flagged = int(model.judge(table).flags.sum())
    assert flagged > 10
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield f"{flagged} strange rows\n"


def anywhere(code: str) -> str:
    """With the folder by its whole path: the engines of these tests were started elsewhere."""
    return code.replace('"orders"', repr(str(Path("orders").absolute())))


def said(code: str, capfd) -> str:
    exec(compile(code, "docs/scale.md", "exec"), {"__name__": "__main__"})
    return str(capfd.readouterr().out)


def test_every_example_has_five_lines():
    for code in examples().values():
        assert len([line for line in code.splitlines() if line]) == 5


@pytest.mark.parametrize("about", ["file", "folder"])
def test_the_examples_on_one_machine_say_the_same(about, at_work, capfd):
    assert said(examples()[about], capfd) == at_work


def test_the_example_of_spark_says_the_same(at_work, capfd, spark_session):
    assert said(anywhere(examples()["spark"]), capfd).endswith(at_work)


def test_the_example_of_ray_says_the_same(at_work, capfd, ray_cluster):
    assert said(anywhere(examples()["ray"]), capfd).endswith(at_work)
