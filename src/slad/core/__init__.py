"""Errors, random streams, devices, files and saved state, for every other package."""
