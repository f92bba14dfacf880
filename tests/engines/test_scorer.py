"""One scorer of batches, whatever engine brings them."""

from __future__ import annotations

import pyarrow as pa
import pytest
from rows import table

from slad.core.errors import ArtifactError, ConfigError
from slad.engines import BatchScorer
from slad.model import TableDetector, conformed_table
from slad.tables import read


@pytest.fixture(scope="module")
def model() -> TableDetector:
    return TableDetector("knn-5", id="order", level=0.02).fit(table(400))


def test_a_rule_that_needs_all_rows_at_once_is_refused_with_the_way_out(model):
    top = TableDetector("knn-5", rule="top", level=5).fit(table(400))
    with pytest.raises(ConfigError, match=r"top=5 needs all rows at once.*fpr or contamination"):
        BatchScorer(top)


def test_an_id_that_is_not_there_is_named(model):
    with pytest.raises(ConfigError, match="'order' is not among the columns: price"):
        BatchScorer(model)(table(5).drop_columns("order"))


def test_a_batch_of_no_rows_gives_none(model):
    empty = BatchScorer(model)(table(5).slice(0, 0))
    assert empty.num_rows == 0
    assert empty.schema.names == ["order", "score", "error", "pvalue", "decision"]


def test_the_scorer_travels_as_bytes(model, tmp_path):
    model.save(tmp_path / "m.slad")
    there = BatchScorer.from_bytes((tmp_path / "m.slad").read_bytes(), device="cpu")
    rows = table(50, 7)
    assert there(rows).equals(BatchScorer(model)(rows))


def test_bytes_that_are_no_model_are_refused_by_the_name_of_their_file(tmp_path):
    with pytest.raises(ArtifactError, match=r"^orders\.slad is not a complete slad model"):
        BatchScorer.from_bytes(b"something else", where="orders.slad")


def test_a_batch_is_read_and_conformed_once_and_rows_that_were_read_are_not_read_again(
    model, monkeypatch
):
    done: list[str] = []
    for name in ("read", "conform"):
        function = getattr(conformed_table, name)

        def counting(*given, _name=name, _function=function, **named):
            if not hasattr(given[0], "frame"):  # what was read passes through `read` as it is
                done.append(_name)
            return _function(*given, **named)

        monkeypatch.setattr(conformed_table, name, counting)
    scorer, rows = BatchScorer(model), table(50, 7)
    raw = scorer(rows.to_batches()[0])
    assert done == ["read", "conform"]
    done.clear()
    again = scorer.score_read(read(rows).frame)
    assert done == ["conform"]
    assert again.equals(raw)
    assert pa.Table.from_batches([raw]).num_rows == 50
