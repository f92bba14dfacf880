"""What the tests of the library and of the laboratory share: fixtures, hooks, checks of shapes.

Tensor shapes in signatures are checked wherever jaxtyping and beartype are installed.
"""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

torch.set_num_threads(1)  # the models here are too small for more, and busy machines are slow with

# Shells start what runs in the background with Ctrl-C switched off; tests press it.
switched_off = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
if switched_off and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

if find_spec("jaxtyping") and find_spec("beartype"):
    from jaxtyping import install_import_hook

    # Before anything imports slad: modules that are loaded already stay unchecked.
    install_import_hook(
        ["slad.detectors.slad", "slad.learning", "slad.core.rows"],
        "shape_checks.checked",
    )

with suppress(ImportError):
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "fixed",
        derandomize=True,
        deadline=None,
        max_examples=20,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    settings.load_profile("fixed")


@pytest.fixture(scope="session")
def data_root() -> Path:
    root = os.environ.get("SLAD_DATA")
    if not root or not Path(root).is_dir():
        pytest.skip(f"SLAD_DATA={root!r} is no folder of datasets")
    return Path(root)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if torch.cuda.is_available():
        return
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(pytest.mark.skip(reason="torch sees no GPU here"))
