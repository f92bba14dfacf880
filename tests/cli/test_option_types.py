"""Values of options."""

from __future__ import annotations

import pytest

from slad.cli.option_types import byte_size, fraction, size_text


@pytest.mark.parametrize(
    ("word", "value"),
    [("1%", 0.01), ("0.01", 0.01), ("7 %", 0.07), ("2.5%", 0.025), ("1e-3", 1e-3)],
)
def test_fractions_are_written_either_way(word, value):
    assert fraction(word) == value


@pytest.mark.parametrize(
    "words",
    [
        ["--fpr", "x"], ["--top", "0"], ["--top", "1.5"], ["--seed", "-1"], ["--set", "epochs"],
        ["--calibration", "none"], ["--show", "0"],
    ],
)  # fmt: skip
def test_a_word_that_means_nothing_is_an_error_of_usage(slad, words):
    done = slad("detect", "t.csv", *words)
    assert done.code == 2
    assert words[0] in done.err
    assert "see slad detect --help" in done.err


@pytest.mark.parametrize("number_of_bytes", [9_000, 5 * 2**20, 3 * 2**30])
def test_a_size_reads_as_it_is_written(number_of_bytes):
    assert byte_size(size_text(number_of_bytes)) == pytest.approx(number_of_bytes, rel=0.01)
