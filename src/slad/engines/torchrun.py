"""How a process sees that torchrun started it. Torch is not needed to see that it did not."""

from __future__ import annotations

import os
from collections.abc import Mapping


def started_by_torchrun(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether torchrun started this process."""
    return all(name in environment for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR"))
