"""Pictures that share what they have in common: a board changes little from turn to turn."""

from __future__ import annotations

import re

_BETWEEN = re.compile(r"(?<=>)(?=<)")


class Pieces:
    """The pieces of the pictures of a file, each kept once."""

    def __init__(self) -> None:
        """Begin without any."""
        self._numbers: dict[str, int] = {}

    def take(self, svg: str) -> list[int]:
        """Return a picture as the numbers of its pieces.

        >>> pieces = Pieces()
        >>> pieces.take("<svg><a/><b/></svg>"), pieces.take("<svg><b/></svg>")
        ([0, 1, 2, 3], [0, 2, 3])
        """
        return [
            self._numbers.setdefault(piece, len(self._numbers)) for piece in _BETWEEN.split(svg)
        ]

    @property
    def texts(self) -> list[str]:
        """The pieces in the order of their numbers."""
        return list(self._numbers)
