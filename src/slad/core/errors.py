"""The errors and warnings slad raises. Each message names the value, the place and the way out."""


class SladError(Exception):
    """Base of every error of slad, for `except SladError`."""


class ConfigError(SladError, ValueError):
    """A constructor parameter or an option has a value that cannot work."""


class DataError(SladError, ValueError):
    """The table given to fit or to score cannot be used."""


class ArtifactError(SladError, ValueError):
    """A saved model is missing, altered, truncated, or from another version."""


class ResourceError(SladError, MemoryError):
    """The work does not fit into free memory. Raised before any work starts."""


class TrainingError(SladError, RuntimeError):
    """Training failed (a loss that is not a number); the detector stays unfitted."""


class TrainingWarning(UserWarning):
    """Training ended with a doubtful result: nothing learned, constant scores, an interrupt."""
