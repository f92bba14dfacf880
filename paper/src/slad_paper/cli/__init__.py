"""The commands that the laboratory adds to `slad`, by entry point: `reproduce` and `data`."""
