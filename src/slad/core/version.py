"""The version, in a file that build tools can read without importing the package."""

__version__ = "0.2.0"
