"""A kind of column that is registered in one place works from the file to the report."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from pyarrow import compute as pc  # noqa: E402

from slad.cli import main  # noqa: E402
from slad.model import TableDetector  # noqa: E402
from slad.model.findings import ColumnProfile  # noqa: E402
from slad.model.json_form import from_json  # noqa: E402
from slad.report.shapes import symbol  # noqa: E402
from slad.tables import Encoder, plan_columns  # noqa: E402
from slad.tables.arrow_types import TEXT, family  # noqa: E402
from slad.tables.kinds import KINDS, Facts, Kind, Picture  # noqa: E402
from slad.tables.kinds.facts import filled_sample  # noqa: E402
from slad.tables.kinds.number import NumberEncoder, NumberUsual, range_of  # noqa: E402
from slad.tables.kinds.pictures import histogram  # noqa: E402

FORM = r"^\d+/[1-9]\d*$"


def as_quotients(column: pa.ChunkedArray) -> np.ndarray:
    return np.array([quotient(cell) for cell in column.to_pylist()], dtype=float)


def quotient(cell: Any) -> float:
    return float(Fraction(cell)) if cell and re.match(FORM, cell) else np.nan


class FractionEncoder(NumberEncoder):
    @classmethod
    def fit(cls, column: pa.ChunkedArray) -> Self:
        return cls.of_values(as_quotients(column))

    @classmethod
    def of_summary(cls, summary: Any, sample: pa.ChunkedArray) -> Self:
        return cls.fit(sample)

    def transform(self, column: pa.ChunkedArray) -> np.ndarray:
        return self.encoded(as_quotients(column))


@dataclass(frozen=True)
class FractionUsual(NumberUsual):
    @classmethod
    def measured(cls, ordinary: pa.ChunkedArray) -> dict[str, Any]:
        return range_of(pa.chunked_array([as_quotients(ordinary)]))

    def measure(self, value: Any) -> float:
        return quotient(value)

    def remark(self, value: Any, *, own: bool) -> str | None:
        return None if self.holds(value) else f"a fraction beyond the usual ones ({self.brief})"


class FractionKind(Kind):
    name = "fraction"
    encoder_type = FractionEncoder
    usual_type = FractionUsual
    may_be_id = False

    def recognises(self, name: str, facts: Facts) -> bool:
        if family(facts.type) != TEXT:
            return False
        return bool(pc.all(pc.match_substring_regex(filled_sample(facts), FORM)).as_py())

    def picture(self, column: pa.ChunkedArray) -> Picture | None:
        return histogram(as_quotients(column))


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line of the registry that a kind takes."""
    monkeypatch.setitem(KINDS, FractionKind.name, FractionKind())


@pytest.fixture
def frame() -> pa.Table:
    rng = np.random.default_rng(0)
    shares = [f"{at}/{8 + at % 3}" for at in rng.integers(1, 8, 200)]
    return pa.table({"share": shares, "amount": rng.normal(size=200)})


@pytest.fixture
def odd() -> pa.Table:
    return pa.table({"share": ["3/8", "90/8"], "amount": [0.0, 0.0]})


def test_it_is_recognised_also_where_every_value_differs(frame: pa.Table) -> None:
    assert [each.kind for each in plan_columns(frame)] == ["fraction", "number"]
    different = pa.table({"share": [f"{at}/97" for at in range(60)]})
    assert [each.kind for each in plan_columns(different)] == ["fraction"]
    mixed = pa.table({"share": ["1/2", "a half"] * 30})
    assert [each.kind for each in plan_columns(mixed)] == ["category"]


def test_it_is_encoded_and_the_encoder_goes_through_its_state(frame: pa.Table) -> None:
    encoder = Encoder.fit(frame, plan_columns(frame))
    rows = encoder.transform(frame)
    assert rows[:, 0].tolist() == as_quotients(frame.column("share")).tolist()
    again = Encoder.from_state(encoder.state())
    assert again == encoder
    assert np.array_equal(again.transform(frame), rows)


def test_a_saved_model_judges_explains_and_draws_it(
    frame: pa.Table, odd: pa.Table, tmp_path: Path
) -> None:
    TableDetector("knn-5", random_state=0).fit(frame).save(tmp_path / "m.slad")
    model = TableDetector.load(tmp_path / "m.slad")
    scores = model.judge(odd).scores
    assert scores[1] > scores[0]
    (found,) = model.explain(odd, [1])
    assert "share is 90/8, a fraction beyond the usual ones (0." in found.sentence
    share = next(column for column in model.profile_ if column["name"] == "share")
    assert share["kind"] == "fraction"
    assert share["usual"].startswith("0.1")
    assert set(share["shape"]) == {"edges", "counts"}
    assert symbol(0, from_json(ColumnProfile, share, "share")) is not None


def test_the_commands_take_it(frame: pa.Table, odd: pa.Table, tmp_path: Path) -> None:
    from slad.tables import write

    write(pa.concat_tables([frame, odd]), tmp_path / "t.csv")
    page = tmp_path / "page.html"
    command = ["detect", str(tmp_path / "t.csv"), "--detector", "knn-5", "--report", str(page)]
    assert main([*command, "--out", str(tmp_path / "out.csv")]) in (0, 1)
    assert "fraction" in page.read_text()
    assert "90/8" in page.read_text()


def test_a_stream_learns_it(frame: pa.Table) -> None:
    from slad.engines.summary import ColumnSummary

    summary = ColumnSummary(pa.string(), levels=True)
    summary.add(frame.column("share"))
    streamed = KINDS["fraction"].encoder_type.of_summary(summary, frame.column("share"))
    assert streamed == Encoder.fit(frame, plan_columns(frame)).encoders[0]
