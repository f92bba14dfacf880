"""What holds on a CPU holds on a GPU."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score

import slad
from recipes import MODELS, SMALL, make, table, trained_models, with_anomalies
from slad import SLAD, NeighborScale, fit_many
from slad.core import rows as rows_module
from slad.core.rows import OffsetRows, SparseRows
from slad.core.seeds import Streams
from slad.detectors.slad import transform
from slad.detectors.slad.subspaces import sample_subspaces
from slad.detectors.slad.transform import TRANSFORMS, make_maps
from slad.learning import rows_objective

pytestmark = pytest.mark.gpu

models_with_a_device = pytest.mark.parametrize(
    "model", [name for name, new in MODELS.items() if "device" in new().get_params()]
)
RECIPES = {"default": SLAD, "released": SLAD.released, "paper": SLAD.paper}


@pytest.mark.parametrize("recipe", list(RECIPES))
def test_a_fit_on_the_gpu_ranks_as_one_on_the_cpu(recipe):
    train, test, labels = with_anomalies(600, 8)
    aucs = []
    for device in ("cpu", "cuda"):
        detector = RECIPES[recipe](epochs=10, random_state=0, device=device).fit(train)
        aucs.append(roc_auc_score(labels, detector.anomaly_score(test)))
        assert len(detector.history_["loss"]) == 10
    assert aucs[0] == pytest.approx(aucs[1], abs=0.02)


def test_the_default_learns_on_the_gpu_what_it_learns_on_the_cpu():
    train, test, _ = with_anomalies(3000, 12)
    ours, theirs = (
        NeighborScale(random_state=0, device=kind).fit(train) for kind in ("cuda", "cpu")
    )
    np.testing.assert_allclose(ours.weights_, theirs.weights_, atol=1e-4)
    np.testing.assert_allclose(
        ours.anomaly_score(test), theirs.anomaly_score(test), rtol=1e-3, atol=1e-3
    )


@trained_models
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_every_network_trains_on_the_gpu_and_its_members_go_their_own_ways(model):
    X = table(300, 7)
    settings = {"device": "cuda", "learning_rate": 1e-3}
    alone = [make(model, random_state=seed, **settings).fit(X) for seed in (0, 1)]
    assert not np.allclose(*(detector.anomaly_score(X) for detector in alone), rtol=1e-3)
    stack = [make(model, random_state=seed, **settings) for seed in (0, 1)]
    other = make(model, random_state=0, **settings | {"epochs": 1})
    fit_many([*stack, other], [X, X, X[:200]])
    for ours, theirs in zip(stack, alone, strict=True):
        # cuBLAS may sum a stack of another size in another order, which training enlarges.
        np.testing.assert_allclose(ours.anomaly_score(X), theirs.anomaly_score(X), rtol=0.03)
        assert ours.history_["loss"] == pytest.approx(theirs.history_["loss"], rel=0.03)


def test_auto_is_the_gpu():
    X = table(100, 4)
    on_auto = SLAD(**SMALL | {"device": "auto"}).fit(X).anomaly_score(X)
    np.testing.assert_array_equal(
        on_auto, SLAD(**SMALL | {"device": "cuda"}).fit(X).anomaly_score(X)
    )


@models_with_a_device
def test_the_same_seed_gives_the_same_scores_to_the_bit(model):
    X = table(300, 12)
    first, second = (
        make(model, device="cuda", n_members=2, epochs=10).fit(X).anomaly_score(X) for _ in range(2)
    )
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "csr"])
@pytest.mark.parametrize("d", [3, 70])
@models_with_a_device
def test_a_row_scores_the_same_alone_and_in_any_batch(model, d, sparse):
    wrap = csr_array if sparse else np.asarray
    detector = make(model, device="cuda").fit(wrap(table(200, d)))
    X = table(20_000, d, seed=1)
    X = csr_array(X[:9000] * (X[:9000] > 0)) if sparse else X
    whole = detector.anomaly_score(X)
    for size in (1, 7, 512, 8191, 8192, 8193):
        for start in (0, 300):
            part = detector.anomaly_score(X[start : start + size])
            np.testing.assert_allclose(part, whole[start : start + len(part)], rtol=1e-12, atol=0)


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_many_in_one_stack_give_what_each_gives_alone():
    tables = [with_anomalies(150, 5), with_anomalies(320, 30, seed=1), with_anomalies(90, 70)]
    settings = [
        {"random_state": 0},
        {"random_state": 1, "epochs": 8},
        {"random_state": 2, "learning_rate": 1e-4, "weight_decay": 1e-2, "epochs": 1},
        {"random_state": 3, "n_groups": 7, "n_members": 2, "epochs": 20},
    ]
    # cuBLAS may sum a stack of another size in another order, and training enlarges that: the
    # faster the learning, the more.
    base = SMALL | {"device": "cuda", "learning_rate": 1e-3}
    jobs = [(base | own, data) for own in settings for data in tables]
    fitted = fit_many([SLAD(**own) for own, _ in jobs], [train for _, (train, _, _) in jobs])
    for detector, (own, (train, test, labels)) in zip(fitted, jobs, strict=True):
        alone = SLAD(**own).fit(train)
        ours, theirs = detector.anomaly_score(test), alone.anomaly_score(test)
        assert roc_auc_score(labels, ours) == pytest.approx(roc_auc_score(labels, theirs), abs=1e-4)
        np.testing.assert_allclose(ours, theirs, rtol=1e-2)
        assert len(detector.history_["loss"]) == own["epochs"]


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_members_stop_early_on_their_own_and_the_others_go_on():
    train, test, _ = with_anomalies(150, 5)
    settings = SMALL | {"device": "cuda", "patience": 2, "epochs": 12, "learning_rate": 1e-3}
    stuck = [SLAD(**settings | {"learning_rate": 0.0, "random_state": seed}) for seed in (1, 2, 3)]
    moving = SLAD(**settings)
    fit_many([stuck[0], moving, *stuck[1:]], [train] * 4)
    assert [len(detector.history_["loss"]) for detector in stuck] == [3, 3, 3]
    assert len(moving.history_["loss"]) == 12
    alone = SLAD(**settings).fit(train).anomaly_score(test)
    np.testing.assert_allclose(moving.anomaly_score(test), alone, rtol=1e-2)


@models_with_a_device
def test_a_model_saved_on_the_gpu_scores_on_the_cpu(model, tmp_path):
    X = table(300, 12)
    detector = make(model, device="cuda", n_members=2).fit(X)
    detector.save(tmp_path / "model")
    expected = detector.anomaly_score(X)
    on_cpu = slad.load(tmp_path / "model", device="cpu").anomaly_score(X)
    np.testing.assert_allclose(on_cpu, expected, rtol=1e-4, atol=1e-6)
    np.testing.assert_array_equal(slad.load(tmp_path / "model").anomaly_score(X), expected)


@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
@models_with_a_device
def test_a_sparse_table_trains_and_scores_on_the_gpu(model):
    rng = np.random.default_rng(0)
    X = table(300, 12) * (rng.uniform(size=(300, 12)) < 0.2)
    settings = {"device": "cuda", "epochs": 1, "learning_rate": 1e-4}
    dense = make(model, **settings).fit(X).anomaly_score(X)
    sparse = make(model, **settings).fit(csr_array(X)).anomaly_score(csr_array(X))
    np.testing.assert_allclose(sparse, dense, rtol=1e-2)


def test_windows_give_the_scores_of_keeping_everything(monkeypatch):
    from slad.detectors.slad import objective

    X = table(300, 8)
    settings = SMALL | {"device": "cuda", "n_members": 2}
    kept = SLAD(**settings).fit(X).anomaly_score(X)
    monkeypatch.setattr(objective, "KEEP_AT_MOST", {"cuda": 0})
    monkeypatch.setattr(objective, "WINDOW_BYTES", {"cuda": 2**17})
    np.testing.assert_allclose(SLAD(**settings).fit(X).anomaly_score(X), kept, rtol=1e-3)


@trained_models
@pytest.mark.filterwarnings("ignore::slad.core.errors.TrainingWarning")
def test_rows_through_a_window_give_the_scores_of_keeping_everything(model, monkeypatch):
    X = table(300, 8)
    kept = make(model, device="cuda", n_members=2).fit(X).anomaly_score(X)
    monkeypatch.setitem(rows_objective.KEEP_AT_MOST, "cuda", 0)
    monkeypatch.setitem(rows_objective.WINDOW_BYTES, "cuda", 2**17)
    again = make(model, device="cuda", n_members=2).fit(X).anomaly_score(X)
    np.testing.assert_allclose(again, kept, rtol=1e-3, atol=1e-6)


@models_with_a_device
def test_the_global_generators_of_the_gpu_are_not_moved(model):
    before = torch.cuda.get_rng_state(), torch.get_rng_state()
    make(model, device="cuda").fit(table(100, 4)).anomaly_score(table(10, 4))
    assert torch.equal(torch.cuda.get_rng_state(), before[0])
    assert torch.equal(torch.get_rng_state(), before[1])


@pytest.mark.parametrize("keep", [2**26, 0], ids=["kept", "drawn again"])
@pytest.mark.parametrize("width", [8, 300])
@pytest.mark.parametrize("replace_up_to", [0, 10], ids=["subsets", "repeats"])
@pytest.mark.parametrize("kind", list(TRANSFORMS))
def test_maps_drawn_there_are_those_of_the_cpu_to_the_bit(
    kind, replace_up_to, width, keep, monkeypatch
):
    monkeypatch.setattr(transform, "KEEP_BYTES", keep)
    subspaces = sample_subspaces(
        width,
        n_groups=3,
        group_size=4,
        rng=Streams(1).numpy("subspaces"),
        replace_up_to=replace_up_to,
    )
    here, there = (make_maps(kind, subspaces, 300, Streams(1)) for _ in range(2))
    pairs = zip(here.lifts("cpu"), there.lifts("cuda"), strict=True)
    for mine, theirs in pairs:
        assert theirs.matrix.device.type == "cuda"
        assert mine.first == theirs.first
        torch.testing.assert_close(theirs.matrix.cpu(), mine.matrix, rtol=0, atol=0)
        torch.testing.assert_close(theirs.bias.cpu(), mine.bias, rtol=0, atol=0)


def test_sparse_rows_have_the_same_products_made_dense_or_not(monkeypatch):
    rng = np.random.default_rng(0)
    offsets = csr_array(rng.normal(size=(1500, 60)) * (rng.uniform(size=(1500, 60)) < 0.1))
    rows = SparseRows(offsets.astype(np.float32), torch.randn(60))
    dense = rows.on(torch.device("cuda"))
    assert isinstance(dense, OffsetRows)
    monkeypatch.setattr(rows_module, "DENSE_SHARE", 10**12)
    assert rows.on(torch.device("cuda")) is rows
    matrix, features = torch.randn(20, 9, device="cuda"), torch.arange(5, 25, device="cuda")
    some = torch.tensor([3, 3, 1499, 0], device="cuda")
    for one, other in ((rows, dense), (rows.take(some), dense.take(some))):
        expected = one.times(matrix, features)
        torch.testing.assert_close(other.times(matrix, features), expected, rtol=0, atol=0)


def test_detectors_of_one_table_share_it_and_score_as_each_alone():
    train, test, _ = with_anomalies(300, 30)
    detectors = [SLAD(epochs=2, random_state=seed, learning_rate=1e-4) for seed in range(3)]
    fit_many(detectors, [train] * 3)
    for seed, detector in enumerate(detectors):
        alone = SLAD(epochs=2, random_state=seed, learning_rate=1e-4).fit(train)
        expected = alone.anomaly_score(test)
        np.testing.assert_allclose(detector.anomaly_score(test), expected, rtol=1e-3)


@models_with_a_device
def test_the_parts_of_a_score_average_to_it_on_the_gpu(model):
    X = table(300, 6)
    detector = make(model, device="cuda").fit(X)
    np.testing.assert_allclose(
        detector.score_parts(X).mean(axis=1), detector.anomaly_score(X), rtol=1e-5, atol=1e-6
    )


def test_a_table_model_of_the_gpu_judges_and_explains_on_the_cpu_alike(tmp_path):
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(0)
    amount = rng.normal(size=400)
    frame = pa.table({"amount": amount, "twice": 2 * amount, "kind": rng.choice(["a", "b"], 400)})
    model = slad.TableDetector("auto", level=0.05, device="cuda").fit(frame)
    model.save(tmp_path / "m.slad")
    again = slad.TableDetector.load(tmp_path / "m.slad", device="cpu")
    np.testing.assert_allclose(again.anomaly_score(frame), model.anomaly_score(frame), atol=1e-2)
    assert len(again.explain(frame, [0])) == len(model.explain(frame, [0])) == 1
