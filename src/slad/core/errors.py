"""The errors and warnings slad raises. Each message names the value, the place and the way out."""


class SladError(Exception):
    """Base of every error of slad, for `except SladError`."""


class ConfigError(SladError, ValueError):
    """A constructor parameter or an option has a value that cannot work."""


class DataError(SladError, ValueError):
    """The table given to fit or to score cannot be used as it is."""


class ArtifactError(SladError, ValueError):
    """A saved model is missing, altered, truncated or of another version."""


class ResourceError(SladError, MemoryError):
    """What was asked for cannot fit into the memory there is; nothing was begun."""


class TrainingError(SladError, RuntimeError):
    """Training broke down (a loss that is not a number); no model is left behind."""


class TrainingWarning(UserWarning):
    """Training ended, but its result deserves a look: nothing learned, constant scores, a stop."""
