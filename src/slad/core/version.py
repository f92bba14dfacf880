"""The version, in a file of its own so that nothing has to import the package to know it."""

__version__ = "0.2.0"
