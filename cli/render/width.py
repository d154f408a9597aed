"""The maximum width of a line of text."""

from __future__ import annotations

from shutil import get_terminal_size

_NARROWEST, _WIDEST = 40, 100
"""Bounds of the columns of prose."""


def columns() -> int:
    """Return the columns that a line may fill: what ``COLUMNS`` says, else the terminal's.

    100 at most, and 100 where nothing limits a line, as in a file.
    """
    return max(_NARROWEST, min(get_terminal_size((_WIDEST, 24)).columns, _WIDEST))
