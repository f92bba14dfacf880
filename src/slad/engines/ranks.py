"""The processes of a job: this one alone, or those that torchrun started.

Every process has a rank, from 0 up. Processes exchange states: JSON values and arrays.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NoReturn

import numpy as np
import safetensors.numpy
import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.distributed_c10d import PrefixStore
from torch.distributed.rendezvous import rendezvous

from slad.core.devices import resolve_device
from slad.core.errors import ConfigError, SladError
from slad.core.state import State
from slad.engines.stop_signal import on_sigterm
from slad.learning import Share

TIMEOUT = timedelta(hours=1)
"""How much longer one rank may read its files than another. A dead rank is noticed at once."""
ROLL_CALL = 1.0
"""Seconds that ranks have to report that they are alive."""


class LostRankError(SladError, RuntimeError):
    """A process of the job died; the others cannot continue without it."""


class Processes(Share):
    """This process alone."""

    hint = "start the same command again"
    """What to do when the job breaks down."""

    def gather(self, state: State) -> list[State]:
        """The states of all processes, by rank."""
        return [state]

    def close(self) -> None:
        """End the exchange, once every process is done with it."""


class Ranks(Processes):
    """The processes that torchrun started."""

    def __init__(self, device: str) -> None:
        self.rank, self.world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        self.device = resolve_device(device)
        own_gpu = None
        if self.device.type == "cuda":
            own_gpu = _take_own_gpu(int(os.environ["LOCAL_RANK"]))
        self._store, _, _ = next(rendezvous("env://", self.rank, self.world))
        self._ending = threading.Lock()
        on_sigterm(self._stopped)
        dist.init_process_group(
            "nccl" if self.device.type == "cuda" else "gloo",
            store=PrefixStore("slad", self._store),
            rank=self.rank,
            world_size=self.world,
            timeout=TIMEOUT,
            device_id=own_gpu,
        )

    def total(self, *tensors: Tensor) -> None:
        """The sums over all processes, in place and in one message."""
        flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
        self._exchange(lambda: dist.all_reduce(flat))
        parts = flat.split([tensor.numel() for tensor in tensors])
        for tensor, part in zip(tensors, parts, strict=True):
            tensor.copy_(part.view_as(tensor))

    def gather(self, state: State) -> list[State]:
        message = torch.from_numpy(_packed(*state)).to(self.device)
        sizes = [torch.zeros(1, dtype=torch.long, device=self.device) for _ in range(self.world)]
        own = torch.tensor([len(message)], device=self.device)
        self._exchange(lambda: dist.all_gather(sizes, own))
        longest = max(int(size) for size in sizes)
        padded = torch.zeros(longest, dtype=torch.uint8, device=self.device)
        padded[: len(message)] = message
        messages = [torch.empty_like(padded) for _ in range(self.world)]
        self._exchange(lambda: dist.all_gather(messages, padded))
        return [
            _unpacked(each[: int(size)].cpu().numpy())
            for each, size in zip(messages, sizes, strict=True)
        ]

    def close(self) -> None:
        self._exchange(dist.barrier)
        dist.destroy_process_group()

    def _exchange(self, call: Callable[[], Any]) -> None:
        try:
            call()
        except RuntimeError as error:
            self._lost(error)

    # -- when a process died ---------------------------------------------------------------------

    def _lost(self, error: Exception) -> NoReturn:
        """The first surviving process names the dead ones, the others end without a message."""
        with self._ending:
            missing = self._missing()
        if self.rank != min(set(range(self.world)) - set(missing), default=self.rank):
            raise SystemExit(1) from error
        raise LostRankError(self._sentence(missing)) from error

    def _stopped(self) -> None:
        """torchrun sends SIGTERM to the others when one dies. Called from a thread, because the
        main thread may be waiting for a message that never comes."""
        if not self._ending.acquire(blocking=False):  # the main thread prints the message
            return
        missing = self._missing()
        if self.rank == min(set(range(self.world)) - set(missing), default=self.rank):
            print(f"slad: {self._sentence(missing)}", file=sys.stderr, flush=True)
        os._exit(1)

    def _missing(self) -> list[int]:
        """Ranks that do not report within `ROLL_CALL` seconds."""
        self._store.set(f"here/{self.rank}", "yes")
        missing = [rank for rank in range(self.world) if rank != self.rank]
        until = time.monotonic() + ROLL_CALL
        while missing and time.monotonic() < until:
            time.sleep(0.05)
            missing = [rank for rank in missing if not self._store.check([f"here/{rank}"])]
        return missing

    def _sentence(self, missing: list[int]) -> str:
        if not missing:
            return f"the job was stopped: {self.hint}"
        which = " and ".join(f"rank {rank}" for rank in missing)
        return f"{which} of {self.world} died: {self.hint}"


def _take_own_gpu(local: int) -> torch.device:
    if local >= (count := torch.cuda.device_count()):
        raise ConfigError(
            f"process {local} of this machine has no GPU, there are {count}: start at most as many "
            "processes as there are GPUs, or use --device cpu"
        )
    torch.cuda.set_device(local)
    return torch.device("cuda", local)


def _packed(values: dict[str, Any], arrays: dict[str, np.ndarray]) -> np.ndarray:
    text = np.frombuffer(json.dumps(values).encode(), dtype=np.uint8)
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    data = safetensors.numpy.save(contiguous | {"": text})
    return np.frombuffer(bytearray(data), dtype=np.uint8)


def _unpacked(message: np.ndarray) -> State:
    arrays = safetensors.numpy.load(message.tobytes())
    return State(json.loads(arrays.pop("").tobytes()), arrays)
