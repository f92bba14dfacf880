from __future__ import annotations

import pytest
import torch

from slad.core.devices import available_memory, check_device, resolve_device
from slad.core.errors import ConfigError

without_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")


def test_auto_takes_the_gpu_where_there_is_one():
    assert resolve_device("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")


def test_a_device_is_taken_at_its_word():
    assert resolve_device("cpu") == torch.device("cpu")
    assert resolve_device(torch.device("cpu")) == torch.device("cpu")


@pytest.mark.parametrize("device", ["gpu", "", "cpu:one"])
@pytest.mark.parametrize("refuse", [resolve_device, check_device])
def test_what_is_no_device_is_named(device, refuse):
    with pytest.raises(ConfigError, match=f"device={device!r}"):
        refuse(device)


@without_gpu
@pytest.mark.parametrize("refuse", [resolve_device, check_device])
def test_a_missing_gpu_is_said_with_the_way_out(refuse):
    with pytest.raises(ConfigError, match=r"device='cuda'.*no GPU.*'auto' or 'cpu'"):
        refuse("cuda")


@pytest.mark.parametrize("device", ["mps", "meta", "xpu"])
def test_a_device_slad_does_not_run_on_is_refused(device):
    with pytest.raises(ConfigError, match=f"device={device!r}"):
        resolve_device(device)


def test_memory_on_the_cpu_is_a_plausible_number_of_bytes():
    assert 2**26 < available_memory(torch.device("cpu")) < 2**50
