"""Random numbers drawn on a device: the same on every one."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from slad.core.philox import normal_on, uniform_on
from slad.core.seeds import Streams, uniform


@pytest.mark.gpu
@pytest.mark.parametrize("size", [1, 7, 8, 9, 2049, 1_000_003])
@pytest.mark.parametrize("stream", [0, 1, 139_351])
def test_random_numbers_drawn_there_are_numpy_s_to_the_bit(size, stream):
    device = torch.device("cuda")
    for key in (0, 1, 2**128 - 1, Streams(3).key("maps")):
        there = uniform_on(device, key, size, stream).cpu().numpy()
        np.testing.assert_array_equal(there, uniform(key, size, stream))


CPU = torch.device("cpu")


@pytest.mark.parametrize("size", [0, 1, 2, 7, 1000])
def test_there_are_as_many_normal_numbers_as_asked_for(size):
    drawn = normal_on(CPU, 5, size)
    assert drawn.shape == (size,)
    assert drawn.dtype == torch.float32
    assert drawn.isfinite().all()


def test_normal_numbers_are_normal_and_independent():
    drawn = normal_on(CPU, 7, 100_000).double()
    assert abs(float(drawn.mean())) < 0.02
    assert abs(float(drawn.std()) - 1) < 0.01
    assert abs(float((drawn**4).mean()) - 3) < 0.15
    first, second = drawn.view(2, -1)  # made from the same two uniform numbers
    assert abs(float((first * second).mean())) < 0.02
    assert abs(float((first.square() * second.square()).mean()) - 1) < 0.05


def test_normal_numbers_follow_from_key_and_stream():
    first = normal_on(CPU, 3, 50, stream=2)
    assert torch.equal(first, normal_on(CPU, 3, 50, stream=2))
    for key, stream in ((4, 2), (3, 1)):
        assert not torch.isclose(first, normal_on(CPU, key, 50, stream)).any()


def test_the_bits_behind_saved_maps_never_change():
    uniforms = uniform(1, 4).astype(np.float64)
    length = np.sqrt(-2 * np.log((1 - uniforms[:2]) / 2))
    angle = np.pi * uniforms[2:]
    expected = np.concatenate([length * np.cos(angle), length * np.sin(angle)])
    np.testing.assert_allclose(normal_on(CPU, 1, 4).numpy(), expected, rtol=1e-5)
