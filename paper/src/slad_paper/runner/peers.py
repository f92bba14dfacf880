"""Other implementations of the paper's methods, DeepOD and PyOD, kept apart from everything else.

They are not installed with slad: `pip install --no-deps --target DIR deepod==0.4.1 pyod`, and set
SLAD_PEERS to DIR. They seed the global generators, print and warn; nothing of it gets out.
"""

from __future__ import annotations

import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch

PEERS = "SLAD_PEERS"
CLASSES = {
    "icl": "deepod.models.tabular.icl:ICL",
    "icl-deepod": "deepod.models.tabular.icl:ICL",
    "neutral": "deepod.models.tabular.neutral:NeuTraL",
    "goad": "deepod.models.tabular.goad:GOAD",
    "rca": "deepod.models.tabular.rca:RCA",
    "dsvdd": "deepod.models.tabular.dsvdd:DeepSVDD",
    "dif": "deepod.models.tabular.dif:DeepIsolationForest",
    "so-gaal": "pyod.models.so_gaal:SO_GAAL",
    "mo-gaal": "pyod.models.mo_gaal:MO_GAAL",
    "slad-released": "deepod.models.tabular.slad:SLAD",
}
"""Our detector -> module and class of the same method there."""

NETWORK = {"hidden_dims": "100", "rep_dim": 128, "act": "LeakyReLU"}
TRAINED = {"batch_size": 128, "lr": 1e-3, "verbose": 0}
SETTINGS: dict[str, dict[str, Any]] = {
    "icl": TRAINED | NETWORK | {"n_ensemble": 1},
    "icl-deepod": TRAINED | NETWORK | {"n_ensemble": 1},
    "neutral": TRAINED | NETWORK,
    "goad": TRAINED,
    "rca": TRAINED | NETWORK,
    "dsvdd": TRAINED | NETWORK,
    "dif": {"hidden_dims": "500,100", "rep_dim": 20, "verbose": 0},
    "so-gaal": {},
    "mo-gaal": {},
    "slad-released": {"verbose": 0},
}
"""What makes them do what ours do: the settings of the SLAD paper."""
GAAL_EPOCHS = 12
"""Of both GAALs, where others have 10: PyOD trains for three times its `stop_epochs`."""


def use(folder: Path) -> None:
    """Import peers from this folder from now on."""
    sys.path.insert(0, str(folder))
    provide_missing()


@cache
def peers_folder() -> Path | None:
    """The folder that SLAD_PEERS names, if any; peers are imported from it from now on."""
    if folder := os.environ.get(PEERS):
        use(Path(folder))
        return Path(folder)
    return None


class Silent:
    """Stands in for tqdm where it is not installed: goes through its iterable and shows nothing."""

    def __init__(self, iterable: Any = (), *_: Any, **__: Any) -> None:
        self.iterable = iterable

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def provide_missing() -> None:
    """What peers import and none of the methods here needs."""
    if find_spec("tqdm") is None:
        bars = _stand_in("tqdm")
        bars.tqdm, bars.trange = Silent, lambda *size, **_: Silent(range(*size))
    if find_spec("numba") is None:
        compiler = _stand_in("numba")
        compiler.njit = compiler.jit = lambda f=None, *_, **__: f if callable(f) else lambda g: g
        compiler.prange = range


def _stand_in(library: str) -> Any:
    """An empty library; with a spec, for torch and others ask for it before they import."""
    module = ModuleType(library)
    module.__spec__ = ModuleSpec(library, None)
    sys.modules[library] = module
    return module


@contextmanager
def kept_apart(seed: int | None = None) -> Iterator[None]:
    """Peers seed the global generators, print, and warn: nothing of it gets out."""
    states = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
    gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    threads = torch.get_num_threads()
    try:
        with (
            open(os.devnull, "w") as nowhere,
            redirect_stdout(nowhere),
            redirect_stderr(nowhere),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            if seed is not None:
                torch.manual_seed(seed)
            yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
        torch.set_rng_state(states[2])
        if gpus:
            torch.cuda.set_rng_state_all(gpus)
        torch.set_num_threads(threads)


def peer_class(ours: str) -> Any | None:
    """The class that does what a detector of ours does; None, and a message, if it is missing."""
    module, _, name = CLASSES[ours].partition(":")
    try:
        with kept_apart():
            return getattr(import_module(module), name)
    except ImportError as error:
        print(f"{ours}: {CLASSES[ours]} cannot be imported ({error})", file=sys.stderr)
        return None


def make_peer(ours: str, cls: Any, seed: int, device: torch.device, epochs: int | None) -> Any:
    """A peer with the settings of ours; `epochs` is None where it trains for none.

    PyOD's GAAL takes no seed, no device and no epochs: it always trains for `GAAL_EPOCHS` here.
    """
    if CLASSES[ours].startswith("pyod"):
        return cls(stop_epochs=GAAL_EPOCHS // 3)
    longer = {} if epochs is None else {"epochs": epochs}
    where = "cpu" if epochs is None else device.type
    return cls(random_state=seed, device=where, **(SETTINGS[ours] | longer))
