"""Findings of a run as one HTML file for people, which opens anywhere and loads nothing."""

from slad.report.assemble import render, write_page

__all__ = ["render", "write_page"]
