"""How tasks are made: classes, planted anomalies, caps, determinism; what the manifest says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from slad.core.errors import ConfigError, DataError
from slad_paper.datasets import find, load
from slad_paper.datasets.readers.task import content_sum
from slad_paper.datasets.store import is_here
from slad_paper.datasets.suite import manifest, suite_folder, tasks
from slad_paper.datasets.suite.building import build
from slad_paper.datasets.suite.making import make
from slad_paper.datasets.suite.planting import KINDS, plant
from slad_paper.datasets.suite.raw_table import RawTable
from slad_paper.datasets.suite.recipes import TaskRecipe, parse, recipes

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(600, 4)).round(2)
NUMBERS[:, 1] = NUMBERS[:, 0]
TABLE = RawTable(NUMBERS, classes=np.repeat(["a", "b", "c"], [400, 150, 50]))


def test_the_suite_is_as_large_and_as_varied_as_it_is_meant_to_be():
    every = tasks()
    assert len(every) >= 200
    assert len({task.source for task in every}) >= 100
    rows, features = [task.rows for task in every], [task.features for task in every]
    assert min(rows) < 150 < 15_000 < max(rows) <= 20_000
    assert min(features) == 2
    assert 500 < max(features) <= 800
    assert sum(task.mixed for task in every) > 50
    assert {task.kind for task in every} == {"class", *KINDS}


def test_no_source_but_fashion_mnist_has_more_than_four_tasks():
    counts = Counter(task.source for task in tasks())
    assert {source for source, count in counts.items() if count > 4} == {"fashion-mnist"}


def test_the_manifest_lists_what_the_recipes_make_in_their_order():
    made = [recipe.task_name(task) for recipe in recipes() for task in recipe.tasks]
    assert made == [task.name for task in tasks()]
    assert len(set(made)) == len(made)


def test_anomalies_are_rare_in_every_task():
    for task in tasks():
        normal = task.rows - task.anomalies
        assert task.anomalies >= 10, task.name
        assert normal >= 50, task.name
        assert task.anomalies / (task.anomalies + normal / 2) <= 0.3 + 1e-9, task.name


def test_a_held_out_class_is_the_anomaly_and_the_others_are_normal():
    made = make("toy", TABLE, TaskRecipe(odd=("c",)), 5000)
    assert int(made.y.sum()) == 50
    assert len(made.y) == 600
    assert _rows(made.X[made.y == 1]) == _rows(NUMBERS[550:])


def test_with_one_normal_class_the_others_are_cut_down_to_three_test_rows_of_ten():
    made = make("toy", TABLE, TaskRecipe(normal=("b",)), 5000)
    normal, odd = int((made.y == 0).sum()), int(made.y.sum())
    assert normal == 150
    assert odd == int(0.3 / 0.7 / 2 * 150)


def test_no_task_has_more_rows_than_its_recipe_allows():
    assert len(make("toy", TABLE, TaskRecipe(odd=("c",)), 300).y) <= 300
    assert len(make("toy", TABLE, TaskRecipe(plant="local"), 300).y) <= 300


def test_rows_of_no_class_are_left_out():
    classes = TABLE.classes.copy()
    classes[:100] = ""
    made = make("toy", RawTable(NUMBERS, (), classes), TaskRecipe(odd=("c",)), 5000)
    assert len(made.y) == 500


def test_a_task_is_the_same_every_time_and_another_under_another_name():
    first, again, other = (
        make(name, TABLE, TaskRecipe(plant="cluster"), 500).sha256 for name in ("a", "a", "b")
    )
    assert first == again != other


def test_normal_rows_and_anomalies_are_mixed():
    y = make("toy", TABLE, TaskRecipe(plant="marginal"), 5000).y
    assert 0.3 < np.flatnonzero(y).mean() / len(y) < 0.7


def test_a_class_that_is_not_there_or_too_few_rows_are_an_error():
    with pytest.raises(DataError, match=r"'z'.*a, b, c"):
        make("toy", TABLE, TaskRecipe(odd=("z",)), 5000)
    few = RawTable(NUMBERS[:60], (), np.repeat(["a", "b"], [55, 5]))
    with pytest.raises(DataError, match="55 normal rows and 5 anomalies"):
        make("toy", few, TaskRecipe(odd=("b",)), 5000)


def test_only_dependencies_can_be_broken_among_categories_and_gaps():
    mixed = RawTable(NUMBERS, (2,), TABLE.classes)
    assert make("toy", mixed, TaskRecipe(plant="dependency"), 5000).categories == (2,)
    with pytest.raises(DataError, match="categories"):
        make("toy", mixed, TaskRecipe(plant="local"), 5000)
    gaps = NUMBERS.copy()
    gaps[3, 2] = np.nan
    with pytest.raises(ConfigError, match="gaps"):
        plant("local", gaps, 10, np.random.default_rng(0))


@pytest.mark.parametrize("kind", KINDS)
def test_planted_rows_are_written_with_the_decimals_of_the_others(kind):
    odd = plant(kind, NUMBERS, 200, np.random.default_rng(0))
    np.testing.assert_allclose(odd, odd.round(2))
    assert odd.shape == (200, 4)


def test_dependency_keeps_every_column_and_breaks_their_tie():
    odd = plant("dependency", NUMBERS, 400, np.random.default_rng(0))
    assert all(set(odd[:, at]) <= set(NUMBERS[:, at]) for at in range(4))
    assert abs(np.corrcoef(odd[:, 0], odd[:, 1])[0, 1]) < 0.2
    local = plant("local", NUMBERS, 400, np.random.default_rng(0))
    assert np.corrcoef(local[:, 0], local[:, 1])[0, 1] > 0.9


def test_local_anomalies_spread_wider_and_a_cluster_lies_apart():
    local = plant("local", NUMBERS, 400, np.random.default_rng(0))
    assert 1.1 < local.std() / NUMBERS.std() < 1.8
    cluster = plant("cluster", NUMBERS, 400, np.random.default_rng(0))
    assert np.abs(cluster.mean(axis=0)).max() > 3 * np.abs(NUMBERS.mean(axis=0)).max()
    assert cluster.std(axis=0).mean() < 1.2 * NUMBERS.std()


def test_a_recipe_names_classes_or_a_kind_but_not_both():
    with pytest.raises(ConfigError, match="give classes"):
        list(parse('[a]\narchive="x"\nmember="y"\ntasks=[{plant="local", odd=["1"]}]'))
    with pytest.raises(ConfigError, match="give classes"):
        list(parse('[a]\narchive="x"\nmember="y"\ntasks=[{}]'))


def one_task(monkeypatch, **changes: object) -> manifest.Task:
    """A suite of one task, whose table is made up."""
    recipe = next(parse('[toy]\narchive="scikit-learn"\nmember="toy"\ntasks=[{odd=["c"]}]'))
    monkeypatch.setattr("slad_paper.datasets.suite.building.recipes", lambda: [recipe])
    monkeypatch.setattr("slad_paper.datasets.suite.building.read_table", lambda *_: TABLE)
    made = make("suite-toy-odd-c", TABLE, recipe.tasks[0], 5000)
    about = ("suite-toy-odd-c", "toy", "class", "scikit-learn: toy", 600, 4, 50, (), 0)
    task = manifest.Task(*about, "BSD-3-Clause (scikit-learn)", made.sha256)
    monkeypatch.setattr(manifest, "_by_name", lambda: {task.name: task})
    return task


def test_a_built_task_is_loaded_by_its_name_from_the_folder_of_the_suite(tmp_path, monkeypatch):
    task = one_task(monkeypatch)
    monkeypatch.setenv("SLAD_SUITE", str(tmp_path))
    assert [built.right for built in build(tmp_path, tmp_path)] == [True]
    data = load(task.name, download=False)
    assert data.X.shape == (600, 4)
    assert data.entry.sha256 == task.sha256 == content_sum(data.X, data.y)


def test_rows_that_changed_are_noticed_however_they_are_packed(tmp_path, monkeypatch):
    task = one_task(monkeypatch)
    monkeypatch.setenv("SLAD_SUITE", str(tmp_path))
    list(build(tmp_path, tmp_path))
    path = tmp_path / f"{task.name}.npz"
    with np.load(path) as arrays:
        X, y = arrays["X"], arrays["y"]
    np.savez(path, X=X, y=y)
    assert load(task.name, download=False).X.shape == (600, 4)
    X[0, 0] += 0.5
    np.savez(path, X=X, y=y)
    with pytest.raises(DataError, match="holds other rows than suite-toy-odd-c"):
        load(task.name, download=False)


def test_what_comes_out_otherwise_than_the_manifest_says_is_not_written(tmp_path, monkeypatch):
    one_task(monkeypatch)
    changed = RawTable(NUMBERS + 0.25, classes=TABLE.classes)
    monkeypatch.setattr("slad_paper.datasets.suite.building.read_table", lambda *_: changed)
    assert [built.right for built in build(tmp_path, tmp_path)] == [False]
    assert not list(tmp_path.glob("*.npz"))


def test_a_task_that_was_not_built_says_how_it_is(tmp_path, monkeypatch):
    monkeypatch.setenv("SLAD_SUITE", str(tmp_path))
    with pytest.raises(DataError, match="slad data suite"):
        load(tasks()[0].name, download=False)


def test_a_manifest_is_read_as_it_was_written(tmp_path):
    some = tasks()[:30]
    manifest.write(some, tmp_path / "m.csv")
    assert list(manifest.parse((tmp_path / "m.csv").read_text())) == some


def test_the_suite_lies_where_it_is_told_or_in_the_cache_if_the_root_has_none(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("SLAD_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SLAD_SUITE", raising=False)
    assert suite_folder() != tmp_path / "suite"
    (tmp_path / "suite").mkdir()
    assert suite_folder() == tmp_path / "suite"
    monkeypatch.setenv("SLAD_SUITE", str(tmp_path / "there"))
    assert suite_folder() == tmp_path / "there"


def test_an_unknown_task_is_said_to_be_one():
    with pytest.raises(ConfigError, match="suite-iris-odd-iris-setosa"):
        find("suite-iris-odd-iris-setos")


@pytest.mark.data
def test_at_most_half_of_the_rows_of_a_built_task_repeat_another():
    here = [task for task in tasks() if is_here(find(task.name), Path())]
    if not here:
        pytest.skip(f"the suite is not in {suite_folder()}: slad data suite builds it")
    for task in here[::7]:
        X = load(task.name, download=False).X
        assert len(np.unique(X, axis=0)) >= len(X) / 2, task.name


def _rows(X: np.ndarray) -> set[tuple[float, ...]]:
    return set(map(tuple, X.astype(np.float32).tolist()))
