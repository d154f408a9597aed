"""Words below a picture: lines as long as there is room."""

from __future__ import annotations

from textwrap import wrap

from burgrave.model.pictures.xml import words

_SIZE = 15.0
_LINE = 22.0
"""Height of a line."""
_LETTER = 0.54 * _SIZE
"""Mean width of a letter, a little more than any usual typeface has."""


def caption(text: str, width: float, lettering: float = 1.0) -> tuple[str, float]:
    """Return a text as lines from 0, 0 to the right and down, and their height.

    Args:
        text: any number of words.
        width: the room for a line, in units.
        lettering: factor of the size of the letters.

    """
    lines = wrap(text, max(12, int(width / (_LETTER * lettering))))
    high = _LINE * lettering
    drawn = [
        words(line, (0, (index + 0.5) * high), _SIZE * lettering, "faint begin")
        for index, line in enumerate(lines)
    ]
    return "".join(drawn), len(lines) * high
