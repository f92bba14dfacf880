from __future__ import annotations

import pytest
import torch

from slad.learning import ParameterStack
from slad.learning.optimizer import StackAdam

SETTINGS = {
    "shared": [(1e-2, 0.0)] * 3,
    "weight decay": [(1e-2, 0.1)] * 3,
    "one each": [(1e-2, 0.0), (1e-3, 0.1), (1e-1, 1e-5)],
    "two alike": [(1e-2, 0.1), (1e-3, 0.1), (1e-2, 0.1)],
}


def gradients(steps: int) -> torch.Tensor:
    return torch.randn(steps, 3, 7, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_the_stack_moves_as_one_torch_adam_a_member(settings):
    initial = torch.randn(3, 7, generator=torch.Generator().manual_seed(0))
    stack = ParameterStack({"weight": (7,)}, initial)
    adam = StackAdam(stack, settings)
    adam.prepare(3)
    members = [torch.nn.Parameter(row.clone()) for row in initial]
    references = [
        torch.optim.Adam([member], lr=lr, weight_decay=decay)
        for member, (lr, decay) in zip(members, settings, strict=True)
    ]
    for gradient in gradients(20):
        stack.gradients.copy_(gradient)
        adam.step()
        for member, reference, own in zip(members, references, gradient, strict=True):
            member.grad = own.clone()
            reference.step()
    torch.testing.assert_close(stack.values, torch.stack([m.detach() for m in members]))


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_finished_members_stand_still_and_the_others_go_on(settings):
    alone = ParameterStack({"weight": (7,)}, torch.ones(3, 7))
    whole = ParameterStack({"weight": (7,)}, torch.ones(3, 7))
    shrinking, full = StackAdam(alone, settings), StackAdam(whole, settings)
    shrinking.prepare(3)
    full.prepare(3)
    for number, gradient in enumerate(gradients(10)):
        if number == 5:
            shrinking.prepare(2)
            stopped = alone.values[2].clone()
        for stack, adam in ((alone, shrinking), (whole, full)):
            stack.gradients.copy_(gradient)
            adam.step()
    assert torch.equal(alone.values[:2], whole.values[:2])
    assert torch.equal(alone.values[2], stopped)
