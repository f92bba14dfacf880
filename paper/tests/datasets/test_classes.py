"""Tables of chosen classes of Fashion-MNIST."""

from __future__ import annotations

import numpy as np
import pytest

from slad.core.errors import ConfigError
from slad_paper.datasets import find, load, names
from slad_paper.datasets.classes import NORMAL, ODD, of_table, task
from slad_paper.studies import variety


def test_a_table_is_known_by_its_classes_without_being_listed():
    entry = find("fmnist-024-vs-7")
    assert (entry.rows, entry.anomalies, entry.features) == (NORMAL + ODD, ODD, 784)
    assert entry.options["normal"] == (0, 2, 4)
    assert "fmnist-024-vs-7" not in names()


@pytest.mark.parametrize("name", ["fmnist-027-vs-7", "fmnist-00-vs-1", "fmnist-20-vs-1"])
def test_classes_named_twice_or_out_of_order_are_refused(name):
    with pytest.raises(ConfigError, match="each normal class once, in order"):
        find(name)


@pytest.mark.data
def test_normal_classes_have_equal_shares_and_the_strange_one_its_own(data_root):
    data = load("fmnist-3-vs-0", root=data_root, download=False)
    more = load("fmnist-357-vs-0", root=data_root, download=False)
    assert data.X.shape == more.X.shape == (NORMAL + ODD, 784)
    assert data.y.sum() == more.y.sum() == ODD
    same = (more.X[: NORMAL // 3] == data.X[: NORMAL // 3]).all()
    assert same, "of a class the first images are taken"
    np.testing.assert_array_equal(more.X[more.y == 1], data.X[data.y == 1])


def test_the_figure_has_nine_nested_combinations_of_every_number_of_classes():
    tables = variety.STUDY.datasets
    assert len(set(tables)) == 81
    counts = [of_table(name)[0] for name in tables]
    assert counts == sorted(counts)
    for odd, order in variety.orders():
        assert str(odd) not in order
        assert sorted(order) == sorted(set("0123456789") - {str(odd)})
        assert all(task(order[:k], odd) in tables for k in range(1, 10))
