"""The report page: findings as one HTML file that opens anywhere and loads nothing else."""

from slad.report.assemble import render, write_page

__all__ = ["render", "write_page"]
