"""Optional libraries and the extras that install them."""

from __future__ import annotations

from slad.core.errors import ConfigError

EXTRAS = {
    "pyarrow": "slad[tables]",
    "matplotlib": "slad-paper[pictures]",
    "pyspark": "slad[spark]",
    "ray": "slad[ray]",
    "dask": "slad[dask]",
    "onnx": "slad[onnx]",
}
"""Library: what to install to get it."""


def not_installed(error: ModuleNotFoundError) -> ConfigError | None:
    """The error to raise for a missing module; None if no extra installs it."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return None
    return ConfigError(f"this needs {library}: pip install '{EXTRAS[library]}'")
