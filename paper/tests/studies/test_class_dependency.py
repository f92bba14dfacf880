"""Losses of the classes of Fashion-MNIST that were not trained on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from slad_paper.datasets import find
from slad_paper.datasets.store import is_here
from slad_paper.studies import class_dependency
from slad_paper.studies.class_dependency import Images


def made_up() -> Images:
    """Ten classes, each near a corner of its own; the first is far from all others."""
    rng = np.random.default_rng(0)

    def draw(count: int) -> tuple[np.ndarray, np.ndarray]:
        classes = rng.permutation(np.repeat(np.arange(10), count))
        centers = np.eye(10) * 4
        centers[0] -= 3
        return (centers[classes] + 0.3 * rng.normal(size=(len(classes), 10))), classes

    return Images(*draw(60), *draw(30))


@pytest.fixture
def images(monkeypatch):
    monkeypatch.setattr(class_dependency, "images", made_up)


@pytest.mark.usefixtures("images")
def test_a_case_compares_every_class_before_and_after_training():
    case = next(c for c in class_dependency.cases(quick=True) if c.name == "slad-paper-class-0")
    result = class_dependency.run(case, "cpu")
    json.dumps(result, allow_nan=False)
    assert result["rows"] == {"train": 60, "test": 300, "features": 10}
    run = result["runs"][0]
    for state in ("untrained", "trained"):
        assert len(run[state]["boxes"]) == 10
        assert run[state]["auc_roc"][0] is None
        assert run[state]["auc_roc_of_all"] == pytest.approx(
            np.mean(run[state]["auc_roc"][1:]), abs=1e-4
        )
    assert run["trained"]["boxes"][0]["mean"] < run["untrained"]["boxes"][0]["mean"]
    assert run["trained"]["boxes"][0] != run["trained"]["boxes"][1]


def test_rows_are_the_first_of_their_class():
    images = made_up()
    of_three = images.of_class(3, 5)
    assert np.array_equal(of_three, images.train[images.train_classes == 3][:5])
    rows, classes = images.tested(2)
    assert np.bincount(classes).tolist() == [2] * 10
    assert all(np.array_equal(row, images.test[np.flatnonzero((images.test == row).all(1))[0]])
               for row in rows)  # fmt: skip


def test_the_shown_classes_have_more_seeds():
    seeds = {
        case.settings["trained_class"]: len(case.settings["model_seeds"])
        for case in class_dependency.cases(quick=False)
    }
    assert seeds == {0: 5, 1: 5} | dict.fromkeys(range(2, 10), 2)


@pytest.mark.data
def test_the_images_are_parted_as_their_authors_do(data_root):
    if not is_here(find(class_dependency.DATASET), data_root):
        pytest.skip("Fashion-MNIST is not at hand")
    images = class_dependency.images()
    assert np.bincount(images.train_classes).tolist() == [6000] * 10
    assert np.bincount(images.test_classes).tolist() == [1000] * 10
    assert images.train.shape == (60_000, 784)
    class_dependency.images.cache_clear()
