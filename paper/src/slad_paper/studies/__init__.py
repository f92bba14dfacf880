"""Experiments: each a module whose records back a printed table."""
