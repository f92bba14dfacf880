"""Gradients of single rows in slad's network are those of autograd, and so are their sums."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from recipes import make, table
from slad.detectors.slad.network import SLOPE
from slad.learning.parameters import split
from slad_paper.studies import row_gradients
from slad_paper.studies.row_gradients import class_gradients, watched


def fitted(model: str, **settings):
    X = table(40, 6)
    detector = make(model, **settings)
    (weights,) = watched([detector], X, [0, detector.epochs])
    return detector, detector._scaler.rows(X, torch.device("cpu")), weights


def loss_of(name: str, scales: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """The three losses once more, in operations that autograd can follow."""
    p = torch.softmax(scales, -1)
    middle = (p + target) / 2
    if name == "kl":
        terms = target * (target.log() - p.log())
    elif name == "jensen_shannon":
        terms = (p * (p / middle).log() + target * (target / middle).log()) / 2
    else:
        again = torch.log_softmax(p, -1) + torch.log_softmax(target, -1)
        terms = middle * (2 * middle.log() - again)
    return terms.sum(-1)


def mean_losses(scorer, flat: torch.Tensor, rows) -> torch.Tensor:
    """Every row's mean loss over its groups."""
    layers = {name: part[0] for name, part in split(flat[None], scorer.network.shapes).items()}
    total = torch.zeros(len(rows), dtype=torch.float64)
    for lift in scorer.maps.lifts("cpu"):
        lifted = (rows.times(lift.matrix, lift.features) + lift.bias).unflatten(1, (lift.size, -1))
        inner = lifted @ layers["hidden"].T + (layers["bias"].T if scorer.network.bias else 0)
        scales = torch.nn.functional.leaky_relu(inner, SLOPE) @ layers["output"][0]
        target = scorer.target[lift.first // scorer.group_size].flatten()
        total = total + loss_of(scorer.loss.name, scales.double(), target)
    return total / len(scorer.target)


@pytest.mark.parametrize("model", ["SLAD", "SLAD.paper", "SLAD.released"])
def test_gradients_of_rows_are_those_of_autograd(model):
    detector, rows, weights = fitted(model)
    scorer = detector._scorers[0]
    for flat in weights.values():
        found = row_gradients.row_gradients(scorer, flat, rows)
        joined = torch.cat([found[name] for name in scorer.network.shapes], 1)
        followed = flat.clone().requires_grad_()
        for row in (0, 11):
            (expected,) = torch.autograd.grad(mean_losses(scorer, followed, rows)[row], followed)
            torch.testing.assert_close(joined[row], expected, rtol=1e-3, atol=1e-6)


def test_classes_are_told_apart_and_chunks_make_no_difference(monkeypatch):
    detector, rows, weights = fitted("SLAD")
    scorer, labels = detector._scorers[0], np.arange(40) % 4 == 0
    single = row_gradients.row_gradients(scorer, weights[0], rows)["output"].double()
    whole = class_gradients(scorer, weights[0], rows, labels.astype(int))
    monkeypatch.setattr(row_gradients, "AT_ONCE", 3)
    chunked = class_gradients(scorer, weights[0], rows, labels.astype(int))
    assert chunked["output"]["cosine"] == pytest.approx(whole["output"]["cosine"], abs=1e-5)
    for kind, mine in (("inliers", single[~labels]), ("anomalies", single[labels])):
        about = chunked["output"][kind]
        assert about["sum"] == pytest.approx(float(mine.sum(0).square().sum()), rel=1e-4)
        assert about["single"] == pytest.approx(float(mine.square().sum(1).mean()), rel=1e-4)
        assert about["spread"] == pytest.approx(float(mine.var(0).sum()), rel=1e-3)
        count = len(mine)
        made_up = count * about["spread"] + count**2 * about["mean"]
        assert made_up == pytest.approx(about["sum"], rel=1e-6)


def test_epochs_that_are_watched_are_those_of_the_training():
    detector, _, weights = fitted("SLAD")
    assert torch.equal(weights[0], detector.initial_weights()[0])
    assert torch.equal(weights[detector.epochs], detector._scorers[0].flat)
