"""Optional libraries and the extras that install them."""

from __future__ import annotations

from slad.core.errors import ConfigError

EXTRAS = {
    "pyspark": "spark",
    "ray": "ray",
    "dask": "dask",
    "onnx": "onnx",
}
"""Library: the extra of slad that installs it."""


def not_installed(error: ModuleNotFoundError) -> ConfigError | None:
    """The error to raise for a missing module; None if no extra installs it."""
    library = (error.name or "").partition(".")[0]
    if library not in EXTRAS:
        return None
    return ConfigError(f"this needs {library}: pip install 'slad[{EXTRAS[library]}]'")
