"""Which device to run on, and how much memory is free there.

Torch is imported on first use, so that detectors without networks start without it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from slad.core.errors import ConfigError

if TYPE_CHECKING:
    import torch


def check_device(device: str) -> None:
    """Raise ConfigError for a device that `resolve_device` would refuse.

    The names that are right on every machine need no torch.
    """
    if device not in ("auto", "cpu"):
        resolve_device(device)


def resolve_device(device: str | torch.device) -> torch.device:
    """The device with this name; `"auto"` is the GPU if there is one, else the CPU."""
    import torch

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
        import torch

        free, _ = torch.cuda.mem_get_info(device)
        # Memory that torch has reserved and not allocated is free to use.
        return free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    try:
        with open("/proc/meminfo") as lines:
            fields = dict(line.split(":", 1) for line in lines)
        return int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError):  # not Linux: assume a quarter of the machine is free
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4
