"""Atomic writes: a file appears complete or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_aside(target: Path) -> Iterator[Path]:
    """A temporary file beside `target`, renamed to it if the block ends without an error."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    aside = Path(name)
    try:
        yield aside
        aside.chmod(0o666 & ~_umask())
        aside.replace(target)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
