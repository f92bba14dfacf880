"""Which device to run on, and how much memory is free there."""

from __future__ import annotations

import os

import torch

from slad.core.errors import ConfigError


def resolve_device(device: str | torch.device) -> torch.device:
    """The device with this name; `"auto"` is the GPU if there is one, else the CPU."""
    if device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        resolved = torch.device(device)
    except (RuntimeError, TypeError) as error:
        raise ConfigError(
            f"{device=} is not a torch device; use 'auto', 'cpu' or 'cuda'"
        ) from error
    if resolved.type not in ("cpu", "cuda"):
        raise ConfigError(f"{device=} is not supported; use 'auto', 'cpu' or 'cuda'")
    if resolved.type == "cuda" and not torch.cuda.is_available():
        raise ConfigError(f"{device=}, but torch finds no GPU; use device='auto' or 'cpu'")
    return resolved


def available_memory(device: torch.device) -> int:
    """Bytes of free memory on the device."""
    if device.type == "cuda":
        free, _ = torch.cuda.mem_get_info(device)
        # Memory that torch has reserved and not allocated is free to use.
        return free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    try:
        with open("/proc/meminfo") as lines:
            fields = dict(line.split(":", 1) for line in lines)
        return int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError):  # not Linux: assume a quarter of the machine is free
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4
