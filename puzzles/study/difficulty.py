"""The difficulties of puzzles as numbers, and as people write them."""

from __future__ import annotations

import re

from burgrave.model.errors import QuestionError

HARDEST = 5
"""The largest difficulty; 1 is the smallest."""


def span(text: str) -> range | None:
    """Return the difficulties of ``3`` or ``2-4``; None if the text is no such range."""
    found = re.fullmatch(rf"([1-{HARDEST}])(?:-([1-{HARDEST}]))?", text)
    if found is None or (low := int(found[1])) > (high := int(found[2] or low)):
        return None
    return range(low, high + 1)


def levels(text: str) -> range:
    """Return the difficulties that an option names.

    Raises:
        QuestionError: it is no difficulty and no range of them.

    """
    found = span(text)
    if found is None:
        raise QuestionError(f"--difficulty {text}: give a number from 1 to {HARDEST}, or two: 2-4")
    return found
