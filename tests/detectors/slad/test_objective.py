from __future__ import annotations

import numpy as np
import pytest
import torch

from recipes import MODELS, table, trained_models
from slad.core.rows import DenseRows
from slad.core.seeds import Streams
from slad.detectors.slad import objective
from slad.detectors.slad.loss import LOSSES
from slad.detectors.slad.network import ScaleNetwork
from slad.detectors.slad.objective import ScaleObjective, ScaleTask, draw_rows, rows_per_group
from slad.detectors.slad.subspaces import sample_subspaces
from slad.detectors.slad.transform import AffineMaps, make_maps
from slad.learning import ParameterStack


@pytest.mark.parametrize(
    ("n_rows", "expected"),
    [
        (1, 10),
        (19, 10),
        (499, 24 * 50),
        (500, 25 * 20),
        (999, 49 * 20),
        (1000, 50 * 5),
        (4999, 249 * 5),
        (5000, 250 * 2),
        (100_000, 5000 * 2),
        (100_001, 5000 * 1),
    ],
)
def test_a_group_sees_as_many_rows_as_in_the_released_code(n_rows, expected):
    assert rows_per_group(n_rows, 20) == expected


def test_rows_are_drawn_with_replacement_from_the_seed():
    per_group, rows = draw_rows(100, 5, Streams(0))
    assert len(rows) == 5 * per_group
    assert (int(rows.min()), int(rows.max())) == (0, 99)
    assert torch.equal(rows, draw_rows(100, 5, Streams(0))[1])
    assert not torch.equal(rows, draw_rows(100, 5, Streams(1))[1])


def lift_alone(maps: AffineMaps, index: int, x: torch.Tensor) -> torch.Tensor:
    for lift in maps.lifts():
        if lift.first <= index < lift.first + lift.size:
            whole = DenseRows(x).times(lift.matrix, lift.features) + lift.bias
            whole = whole.unflatten(1, (lift.size, -1))
            return maps.finish(lift.first, whole)[0, index - lift.first]
    raise AssertionError(f"{index=} is never lifted")


def small_objective(kind: str, draws: bool) -> ScaleObjective:
    rows = DenseRows(torch.from_numpy(table(30, 6)).float())
    subspaces = sample_subspaces(6, n_groups=2, group_size=3, rng=np.random.default_rng(0))
    maps = make_maps(kind, subspaces, 8, Streams(0))
    labels = np.arange(6.0).reshape(2, 3)
    per_group, drawn = draw_rows(30, 2, Streams(0)) if draws else (30, None)
    network = ScaleNetwork(maps.width, 5, bias=True)
    stack = ParameterStack(network.shapes, network.initial(Streams(0))[None])
    task = ScaleTask(rows, maps, labels, per_group, drawn)
    return ScaleObjective([task], network, LOSSES["kl"], stack, batch_size=4, keep=True)


@pytest.mark.parametrize("draws", [True, False])
@pytest.mark.parametrize("kind", ["affine", "linear_per_length", "zero_padding", "random_mlp"])
def test_the_bank_holds_each_sample_s_representations_and_target(kind, draws):
    target = small_objective(kind, draws)
    task = target.tasks[0]
    samples = torch.tensor([task.per_group + 3, 0, task.per_group - 1, task.per_group])
    target.load(0, 2, samples)
    for place, sample in enumerate(samples.tolist(), start=2):
        group = sample // task.per_group
        row = int(task.draws[sample]) if draws else sample % task.per_group
        torch.testing.assert_close(
            target.target[place].double(), torch.softmax(torch.tensor(task.labels[group]), 0)
        )
        for number in range(3):
            x = task.rows.values[row : row + 1]
            expected = lift_alone(task.maps, group * 3 + number, x)
            torch.testing.assert_close(target.lifted[place].view(3, -1)[number], expected)


def test_a_step_leaves_the_gradient_of_the_weighted_loss():
    target = small_objective("affine", draws=False)
    target.load(0, 0, torch.arange(target.n_samples[0]))
    where, weight = torch.tensor([[1, 40, 59, 0]]), torch.tensor([[0.5, 0.25, 0.25, 0.0]])
    with torch.inference_mode():
        loss = target.step(where, weight)
    flat = target.parameters.values.clone().requires_grad_()
    hidden, output, bias = flat[0].split([5 * 8, 5, 5])
    lifted = target.lifted[where[0]].view(4, 3, 8)
    units = torch.nn.functional.leaky_relu(lifted @ hidden.view(5, 8).T + bias)
    log_p = torch.log_softmax(units @ output, -1)
    y = target.target[where[0]]
    expected = ((y * (y.log() - log_p)).sum(-1) * weight[0]).sum()
    expected.backward()
    torch.testing.assert_close(loss[0], expected.detach())
    torch.testing.assert_close(target.parameters.gradients, flat.grad)


@trained_models
def test_training_in_windows_gives_the_scores_of_keeping_everything(model, monkeypatch):
    X = table(300, 8)
    kept = MODELS[model](n_members=2).fit(X).anomaly_score(X)
    monkeypatch.setattr(objective, "KEEP_AT_MOST", {"cpu": 0})
    monkeypatch.setattr(objective, "WINDOW_BYTES", {"cpu": 2**17})
    windowed = MODELS[model](n_members=2).fit(X).anomaly_score(X)
    np.testing.assert_allclose(windowed, kept, rtol=1e-4)
