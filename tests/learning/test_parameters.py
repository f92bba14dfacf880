from __future__ import annotations

import torch

from slad.learning import ParameterStack

SHAPES = {"weight": (2, 3), "bias": (2, 1)}


def test_named_parts_are_views_of_the_first_members():
    stack = ParameterStack(SHAPES, torch.arange(24.0).view(3, 8))
    weights, gradients = stack.first(2)
    assert {name: part.shape for name, part in weights.items()} == {
        "weight": (2, 2, 3),
        "bias": (2, 2, 1),
    }
    weights["bias"][1] = -1
    gradients["weight"][0] = 5
    assert stack.values[1, 6:].tolist() == [-1, -1]
    assert stack.gradients[0].tolist() == [5] * 6 + [0] * 2
    assert stack.values[2].tolist() == list(range(16, 24))


def test_the_stack_does_not_write_to_the_tensor_it_was_made_from():
    members = torch.zeros(2, 8)
    ParameterStack(SHAPES, members).values += 1
    assert not members.any()
