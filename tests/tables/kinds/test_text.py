"""Texts: unusual letters, rarity, and usual lengths."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from small_tables import column, distances, encoded

from slad.engines.summary import ColumnSummary
from slad.tables.kinds import text, usual_values
from slad.tables.kinds.text import TextEncoder, TextUsual

TEXTS = column(["late order", "late paper", None, "order", "late order"])


def test_where_every_text_is_new_a_new_one_is_nothing_strange() -> None:
    words = ["the", "late", "order", "came", "with", "no", "paper", "from", "shop"]
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(words, 5)) + f" {at}" for at in range(300)]
    train, later = encoded(texts[:200], texts[200:])
    assert later[:, -1].max() == 0
    _, odd = encoded(texts[:200], ["%%%###@@@!!!", "ЖЖЖ ЩЩЩ ЮЮЮ", "x" * 500, ""])
    assert distances(train, odd).min() > 2 * np.quantile(distances(train, later), 0.95)


def test_a_missing_text_has_the_median_of_letters_and_the_rarity_of_a_gap() -> None:
    encoder = TextEncoder.fit(TEXTS)
    rows = encoder.transform(TEXTS)
    assert rows[2, 0] == encoder.usual == np.median(rows[[0, 1, 3, 4], 0])
    assert rows[2, 1] == pytest.approx(np.log(2.5))  # two texts came once: 2.5 rows, to 1 gap


def test_capitals_and_digits_do_not_make_a_text_unusual() -> None:
    encoder = TextEncoder.fit(column(["order 1234", "order 5678"]))
    first, second = encoder.transform(column(["order 1234", "ORDER 9000"]))[:, 0]
    assert first == second


@pytest.mark.parametrize("size", [1, 7, 2**18])
def test_the_size_of_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    whole = TextEncoder.fit(TEXTS).transform(TEXTS)
    monkeypatch.setattr(text, "BLOCK_BYTES", size)
    assert np.array_equal(TextEncoder.fit(TEXTS).transform(TEXTS), whole)


def test_a_table_larger_than_the_sample_is_seen_at_both_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells = column([*["aaaa"] * 50, *["zzzz"] * 50])
    monkeypatch.setattr(text, "SAMPLE", 10)
    rows = TextEncoder.fit(cells).transform(column(["aaaa", "zzzz", "qqqq"]))
    assert rows[0, 0] == pytest.approx(rows[1, 0])
    assert rows[0, 0] < rows[2, 0]


def test_columns_without_a_text_are_encoded() -> None:
    encoder = TextEncoder.fit(column([None, None], pa.string()))
    assert np.isfinite(encoder.transform(column([None, "x", ""]))).all()
    assert encoder.transform(column([], pa.string())).shape == (0, 2)


def test_a_stream_and_a_saved_state_give_the_encoder_of_the_table() -> None:
    encoder = TextEncoder.fit(TEXTS)
    summary = ColumnSummary(pa.string(), levels=True)
    summary.add(TEXTS)
    streamed = TextEncoder.of_summary(summary, TEXTS)
    for other in (streamed, TextEncoder.from_state(encoder.state())):
        assert np.array_equal(other.transform(TEXTS), encoder.transform(TEXTS))


def test_a_text_of_unusual_length_is_remarked_in_characters_not_bytes() -> None:
    usual = usual_values(column(["äöü", "abcd"] * 30), "text")
    assert (usual.low, usual.high) == (3, 4)
    assert usual.remark("äöü", own=False) is None
    assert usual.remark("x", own=False) == "1 character long (usually 3 to 4)"
    assert usual.remark("x" * 1200, own=False) == "1,200 characters long (usually 3 to 4)"


def test_only_frequent_texts_are_named() -> None:
    found = TextUsual.counted(column(["often"] * 5 + [f"t{at}" for at in range(95)]))
    assert found == {"levels": {"often": 0.05}, "n_levels": 96}
